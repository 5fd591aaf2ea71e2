"""A rater who walks a whole study and writes down every answer, and the export that must say the same."""

import csv
import json
import random
import tomllib
from dataclasses import dataclass, field

from browser_walk import until

SCREEN = """() => {
  const texts = document.querySelector('.segment.current') ?? document.getElementById('texts');
  const words = (root, selector) => [...root.querySelectorAll(selector)].map((found) => found.textContent);
  return {
    number: Number(location.hash.slice(1)),
    isDocument: document.body.dataset.layout === 'document',
    fits: document.documentElement.scrollWidth <= innerWidth
      && document.getElementById('next').getBoundingClientRect().bottom <= innerHeight,
    scenario: document.getElementById('scenario').textContent,
    targets: words(texts, '.text.target'),
    boxes: [...document.querySelectorAll('fieldset.question')].map((box) => ({
      question: box.querySelector('legend span').textContent,
      letter: box.querySelector('legend strong')?.textContent ?? '',
      options: words(box, 'label.choice span'),
      categories: words(box, '.category .choice span'),
      keys: words(box, 'label.choice kbd'),
    })),
  };
}"""
SHEET = """() => [...document.querySelectorAll('fieldset.asked')].map((box) => ({
  title: box.closest('section')?.querySelector('h2')?.textContent ?? '',
  asked: box.querySelector('legend').firstChild.textContent.trim(),
  options: [...box.querySelectorAll('label.choice span')].map((found) => found.textContent),
}))"""
PLACES = {"": 0, "Text A": 0, "Text B": 1}


@dataclass
class Seen:
    """One screen: what stood on it and what was answered, by criterion and place."""

    scenario: str
    targets: list[str]
    answers: dict[tuple[str, int | None], tuple[object, bool]] = field(default_factory=dict)
    comment: str = ""
    is_document: bool = False


class Rater:
    """Answers as chance has it, and keeps a record from what the page shows and the study file means."""

    def __init__(self, walk, hand, folder, seed):
        self.walk, self.page = walk, walk.page
        self.page.clock.install()
        self.chance = random.Random(seed)
        self.hand = hand(self.page, self.chance)
        self.study = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))
        self.criteria = {criterion["question"]: criterion for criterion in self.study["criteria"]}
        self.seen, self.sheet = [], {}

    def walk_through(self, link):
        self.page.goto(link)
        while "/work" not in self.page.url:
            if self.page.locator("input[name=consent]").count():
                self.hand.tick("input[name=consent]")
            self.fill_in({question["question"]: question["key"] for question in self.study.get("rater_questions", [])})
            with self.page.expect_navigation():
                self.hand.go_on()
        self.page.wait_for_selector(".question")
        screens = len(self.walk.work["screens"])
        for number in range(1, screens + 1):
            until(self.page, "number => location.hash === `#${number}`", number)
            self.answer_screen()
            self.go_on(number, screens)
        self.page.wait_for_url(lambda url: "/work" not in url)
        if "questionnaire" in self.page.url:
            statements = self.study["questionnaire"]["statements"]
            self.fill_in({statement["text"]: statement["key"] for statement in statements})
            self.hand.go_on()
        self.page.wait_for_url("**/thanks")
        return self

    def go_on(self, number, screens):
        """What is complete goes on by itself where its segment stays in sight or nothing else is asked."""
        last = self.seen[-1]
        if number < screens and (last.is_document or len(last.answers) == 1):
            self.page.clock.run_for(1_100)  # what the page does in this time is done; no load can make it later
        if self.page.url.endswith(f"#{number}"):
            self.hand.forward()

    def fill_in(self, keys):
        titles = {scenario["title"]: scenario["key"] for scenario in self.study["scenarios"]}
        for number, box in enumerate(self.page.evaluate(SHEET)):
            option = self.chance.randrange(len(box["options"]))
            self.hand.pick(number, option)
            self.sheet[titles.get(box["title"], "@rater"), keys[box["asked"]]] = box["options"][option]

    def answer_screen(self):
        shown = self.page.evaluate(SCREEN)
        assert shown["fits"], "it scrolls sideways, or Next is out of sight"
        screen = Seen(shown["scenario"], shown["targets"], is_document=shown["isDocument"])
        self.seen.append(screen)
        if self.chance.random() < 0.1 and not is_practice(shown["scenario"]):
            screen.comment = f"Remark {shown['number']}, “quoted”"
            self.hand.comment(screen.comment)
        several = len({box["letter"] for box in shown["boxes"]} - {""}) > 1
        if shown["isDocument"] and self.chance.random() < 0.08:
            self.hand.cannot_any()
            screen.answers |= {(self.criteria[box["question"]]["key"], 0): (None, True) for box in shown["boxes"]}
            return
        for number, box in enumerate(shown["boxes"]):
            criterion = self.criteria[box["question"]]
            compares = criterion["kind"] == "pairwise"
            place = None if compares or is_practice(shown["scenario"]) else PLACES[box["letter"]]
            assert several or not box["letter"]
            screen.answers[criterion["key"], place] = self.answer(number, box, criterion, shown["isDocument"])

    def answer(self, number, box, criterion, is_document):
        """The value as the study means it, and whether the rater could not judge."""
        if not criterion.get("required", True) and self.chance.random() < 0.15:
            return None, False
        if not is_document and self.chance.random() < 0.08:
            self.hand.cannot(number)
            return None, True
        return getattr(self, f"answer_{criterion['kind']}")(number, box, criterion), False

    def answer_scale(self, number, box, criterion):
        labels = criterion.get("labels") or [str(value) for value in criterion["values"]]
        assert box["options"] == labels
        option = self.chance.randrange(len(labels))
        self.hand.choose(number, option, box["keys"])
        return criterion["values"][option]

    def answer_pairwise(self, number, box, criterion):
        option = self.chance.randrange(3)
        self.hand.choose(number, option, box["keys"])
        words = box["options"][option]
        return 0 if "Text A" in words else 1 if "Text B" in words else "tie"

    def answer_slider(self, number, box, criterion):
        return self.hand.slide(number)

    def answer_categories(self, number, box, criterion):
        assert box["categories"] == criterion["labels"]
        if self.chance.random() < 0.3:
            self.hand.nothing_wrong(number)
            return []
        options = self.chance.choices(range(len(criterion["labels"])), k=self.chance.randint(1, 3))
        self.hand.count(number, options)
        return [criterion["values"][option] for option in options]

    def answer_spans(self, number, box, criterion):
        if self.chance.random() < 0.3:
            self.hand.nothing_wrong(number)
            return []
        return [self.mark(number, criterion) for _ in range(self.chance.randint(1, 2))]

    def mark(self, number, criterion):
        side = self.chance.choice(["target", "target", "source"])
        start, end = self.hand.mark(number, side)
        mark = {"side": side, "start": start, "end": end}
        values = criterion.get("values", [])
        severities = sorted(criterion["severities"], key=lambda severity: severity["weight"])  # as the page has them
        option = self.chance.randrange(len(severities))
        is_omission = self.chance.random() < 0.2
        if is_omission:
            self.hand.omit(number)
            mark["omission"] = True
        self.hand.say_severity(option)
        if values and not is_omission:
            category = self.chance.randrange(len(values))
            self.hand.say_category(category)
            mark["category"] = values[category]
        return mark | {"severity": severities[option]["key"]}


def compare(rater, folder, ratings, judged, sheet, background):
    """The four tables of the export against the record, each whole."""
    about = {("@rater", row["question"]): row["value"] for row in background}
    assert {(row["scenario"], row["question"]): row["value"] for row in sheet} | about == rater.sheet
    last = [row for row in judged if not row["superseded_by"]]
    tasks = [screen for screen in rater.seen if not is_practice(screen.scenario)]
    assert told(row for row in last if row["role"] == "practice") == recorded(
        (0, screen) for screen in rater.seen if is_practice(screen.scenario)
    )
    own = [row for row in last if row["role"] != "practice"]
    assert told(own) == recorded(enumerate(tasks, start=1))
    texts_are_those_of(own, tasks, folder)
    shown = {int(row["order"]): row["systems_shown"].split("|") for row in own}
    assert sorted(
        (int(row["order"]), row["criterion"], row["system"], row["value"], row["comment"]) for row in ratings
    ) == sorted(rated(rater, tasks, shown))


def is_practice(title):
    return title.startswith("Practice")


def told(rows):
    return sorted(
        (int(row["order"] or 0) if row["role"] != "practice" else 0, row["criterion"], str(place_of(row)),
         json.dumps(json.loads(row["value"]), sort_keys=True), row["cannot_judge"])
        for row in rows
    )  # fmt: skip


def place_of(row):
    return row["systems_shown"].split("|").index(row["system"]) if row["system"] else None


def recorded(screens):
    return sorted(
        (order, key, str(place), json.dumps(value, sort_keys=True), str(cannot))
        for order, screen in screens
        for (key, place), (value, cannot) in screen.answers.items()
    )


def rated(rater, tasks, shown):
    """The rows of the ratings table that the record asks for."""
    by_key = {criterion["key"]: criterion for criterion in rater.study["criteria"]}
    for order, screen in enumerate(tasks, start=1):
        for (key, place), (value, _) in screen.answers.items():
            system = "" if place is None else shown[order][place]
            yield order, key, system, cell(by_key[key], value, shown[order]), screen.comment


def cell(criterion, value, systems):
    if value is None:
        return ""
    if criterion["kind"] == "spans":
        return str(sum((points(criterion, mark) for mark in value), 0.0))
    if criterion["kind"] == "categories":
        return "|".join(sorted(set(value))) or "no-error"
    if criterion["kind"] == "pairwise":
        return "tie" if value == "tie" else systems[value]
    return str(value)


def points(criterion, mark):
    named = criterion.get("weights", {}).get(f"{mark['severity']}/{mark.get('category')}")
    plain = {severity["key"]: severity["weight"] for severity in criterion["severities"]}[mark["severity"]]
    return float(plain if named is None else named)


def texts_are_those_of(rows, tasks, folder):
    """Each answer belongs to the text that stood on the screen: the item and the system are the right ones."""
    items = read_items(folder)
    for row in rows:
        if row["role"] in ("degraded", "reference", "attention"):
            continue
        systems = row["systems_shown"].split("|")
        parts = [item for item in items if item["document"] == row["document"]]
        if row["segment"]:
            parts = [item for item in parts if item["segment"] == row["segment"]]
        expected = [item["outputs"][system] for item in parts for system in systems]
        assert tasks[int(row["order"]) - 1].targets == expected


def read_items(folder):
    """The items as the organiser wrote them."""
    if (folder / "items.jsonl").exists():
        lines = (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()
        return [{**item, "outputs": item["target"]} for item in map(json.loads, lines)]
    with (folder / "items.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        row | {"outputs": {name.partition(":")[2] or "system": row[name] for name in row if name.startswith("target")}}
        for row in rows
    ]
