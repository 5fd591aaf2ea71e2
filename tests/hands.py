"""Three ways to work a rater's page, by mouse, finger and keyboard only; each tells what it did, as the rater saw."""

import re

PLACES = """([selector, start, end]) => {
  const text = document.querySelector(selector);
  text.scrollIntoView({ block: 'center' });
  const nodes = [...text.children].filter((piece) => !piece.matches('.gap')).map((piece) => piece.firstChild);
  const edge = (at, side) => {
    for (const node of nodes) {
      if (at < node.length) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect();
        return [box[side], box.top + box.height / 2];
      }
      at -= node.length;
    }
  };
  return [edge(start, 'left'), edge(end - 1, 'right')];
}"""
PENDING = """(selector) => {
  const pieces = [...document.querySelector(selector).children].filter((piece) => !piece.matches('.gap'));
  const first = pieces.findIndex((piece) => piece.matches('.pending'));
  const length = (some) => some.reduce((sum, piece) => sum + piece.textContent.length, 0);
  const start = length(pieces.slice(0, first));
  return [start, start + length(pieces.filter((piece) => piece.matches('.pending')))];
}"""
"""The highlighted place; texts without surrogate pairs, so that units are code points."""

SPACELESS = re.compile("[\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0e7f]")


def markable(side):
    """The text of a side that is in hand."""
    return f":is(.segment.current, .alone) .{side}.markable"


def words_around(text, start, end):
    """Where the words begin and end in which a place lies; a sign such as a comma is a word of its own."""
    words = [m for m in re.finditer(r"\w(?:[\w'’.-]*\w)?|[^\w\s]", text) if m.start() < end and start < m.end()]
    return [words[0].start(), words[-1].end()]


IN_HAND = """(number) => {
  const boxes = document.querySelectorAll('fieldset.question');
  return boxes.length === 1 || boxes[number].matches('.active');
}"""


class Mouse:
    """Clicks and drags; the keyboard only writes comments."""

    points = True

    def __init__(self, page, chance):
        self.page, self.chance = page, chance

    def hit(self, locator, **where):
        locator.click(**where)

    def tick(self, selector):
        self.hit(self.page.locator(selector))

    def go_on(self):
        self.hit(self.page.locator("button.primary"))

    def pick(self, fieldset, option):
        self.hit(self.page.locator("fieldset.asked").nth(fieldset).locator("label.choice").nth(option))

    def box(self, number):
        return self.page.locator("fieldset.question").nth(number)

    def choose(self, number, option, keys):
        self.hit(self.box(number).locator("label.choice").nth(option))

    def cannot(self, number):
        self.hit(self.box(number).locator("button.skip"))

    def cannot_any(self):
        self.hit(self.page.locator("#cannot"))

    def slide(self, number):
        track = self.box(number).locator(".track")
        size = track.bounding_box()
        self.hit(track, position={"x": size["width"] * self.chance.uniform(0.05, 0.95), "y": size["height"] / 2})
        return int(self.box(number).locator(".score-box").input_value())

    def count(self, number, options):
        for option in options:
            self.hit(self.box(number).locator(".category .choice").nth(option))

    def nothing_wrong(self, number):
        keyed = self.page.locator("kbd", has_text="0")
        self.hit(self.box(number).locator("button.tool, button.choice", has=keyed).locator("visible=true"))

    def mark(self, number, side):
        """Drag over some characters; the words they stand in are taken, in scripts without spaces the characters."""
        selector = markable(side)
        text = self.page.locator(selector).inner_text()
        start = self.chance.randrange(len(text) - 2)
        place = [start, self.chance.randint(start + 2, min(len(text), start + 12))]
        self.drag(*self.page.evaluate(PLACES, [selector, *place]))
        self.page.wait_for_selector(".pending")
        taken = self.page.evaluate(PENDING, selector)
        assert taken == (place if SPACELESS.search(text) else words_around(text, *place))
        return taken

    def drag(self, start, end):
        self.page.mouse.move(start[0] + 1, start[1])
        self.page.mouse.down()
        self.page.mouse.move(end[0] - 1, end[1], steps=3)
        self.page.mouse.up()

    def omit(self, number):
        self.hit(self.page.locator(".mark-bar .bar-foot button", has=self.page.locator("kbd", has_text="m")))

    def say_severity(self, option):
        self.hit(self.page.locator(".mark-bar .sevs button").nth(option))

    def say_category(self, option):
        self.hit(self.page.locator(".mark-bar .cats button").nth(option))

    def comment(self, text):
        self.hit(self.page.locator("#comment"))
        self.page.keyboard.type(text)

    def forward(self):
        self.hit(self.page.locator("#next"))


class Finger(Mouse):
    """Taps, and a finger that goes along the words; "cannot judge" of a segment is in the help of a small page."""

    def __init__(self, page, chance):
        super().__init__(page, chance)
        self.line = page.context.new_cdp_session(page)

    def hit(self, locator, **where):
        locator.tap(**where)

    def touch(self, kind, *points):
        self.line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def drag(self, start, end):
        (x1, y1), (x2, y2) = start, end
        self.touch("touchStart", (x1 + 1, y1))
        self.touch("touchMove", (x1 + 40, y1))  # along the line first, or the page would scroll
        for _ in range(4):  # a finger comes to rest before it is lifted; else the browser takes it for a throw
            self.touch("touchMove", (x2 - 1, y2))
            self.page.wait_for_timeout(40)
        self.touch("touchEnd")

    def cannot_any(self):
        self.hit(self.page.get_by_role("button", name="Help"))
        self.hit(self.page.locator("#cannot-help"))


class Keyboard:
    """Nothing but keys: Tab, arrows, numbers, letters, Enter and Space."""

    points = False

    def __init__(self, page, chance):
        self.page, self.chance = page, chance
        self.press = page.keyboard.press

    def tab_to(self, selector, *, key="Tab"):
        for _ in range(150):
            if self.page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
                return
            self.press(key)
        raise AssertionError(f"{selector} cannot be reached by {key}")

    def tick(self, selector):
        self.tab_to(selector)
        self.press("Space")

    def go_on(self):
        self.tab_to("button.primary")
        self.press("Enter")

    def pick(self, fieldset, option):
        name = self.page.evaluate(
            "n => document.querySelectorAll('fieldset.asked')[n].querySelector('input').name", fieldset
        )
        self.tab_to(f'input[name="{name}"]')
        for _ in range(option):
            self.press("ArrowDown")
        if not option:
            self.press("Space")

    def turn_to(self, number):
        """A question is in hand when it is alone or marked so; Tab goes on to the next."""
        for _ in range(150):
            if self.page.evaluate(IN_HAND, number):
                return
            self.press("Tab")
        raise AssertionError(f"question {number} cannot be reached by Tab")

    def choose(self, number, option, keys):
        self.turn_to(number)
        self.press(keys[option])

    def cannot(self, number):
        self.turn_to(number)
        self.press("x")

    def cannot_any(self):
        self.press("x")

    def slide(self, number):
        self.turn_to(number)
        score = str(self.chance.randrange(100))
        for digit in score:
            self.press(digit)
        return int(score)

    def count(self, number, options):
        self.turn_to(number)
        for option in options:
            self.press(str(option + 1))

    def nothing_wrong(self, number):
        self.turn_to(number)
        self.press("0")

    def mark(self, number, side):
        """Word by word to a place, some words wide, and perhaps a character less."""
        selector = markable(side)
        self.turn_to(number)
        self.tab_to(selector, key=self.chance.choice(["Tab", "Shift+Tab"]))
        steps = ["ArrowRight"] * self.chance.randint(1, 4) + ["Shift+ArrowRight"] * self.chance.randrange(3)
        for key in [*steps, *self.chance.choice([[], [","]])]:
            self.press(key)
        return self.page.evaluate(PENDING, selector)

    def omit(self, number):
        self.turn_to(number)
        self.press("m")

    def say_severity(self, option):
        self.press(str(option + 1))

    def say_category(self, option):
        self.press(self.page.locator(".mark-bar .cats button").nth(option).locator("kbd").inner_text())

    def comment(self, text):
        self.press("c")
        self.page.keyboard.type(text)
        self.press("Escape")

    def forward(self):
        self.press("n")
