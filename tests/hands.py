"""Two ways to work a rater's page, by mouse and by keyboard only; each tells what it did, as the rater saw it."""

PLACES = """([selector, start, end]) => {
  const text = document.querySelector(selector);
  text.scrollIntoView({ block: 'center' });
  const nodes = [...text.children].filter((piece) => !piece.matches('.missing-here')).map((piece) => piece.firstChild);
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
  const pieces = [...document.querySelector(selector).children].filter((piece) => !piece.matches('.missing-here'));
  const first = pieces.findIndex((piece) => piece.matches('.pending'));
  const length = (some) => some.reduce((sum, piece) => sum + piece.textContent.length, 0);
  const start = length(pieces.slice(0, first));
  return [start, start + length(pieces.filter((piece) => piece.matches('.pending')))];
}"""
"""The highlighted place; texts without surrogate pairs, so that units are code points."""

IN_HAND = """(number) => {
  const boxes = document.querySelectorAll('fieldset.question');
  return boxes.length === 1 || boxes[number].matches('.active');
}"""


class Mouse:
    """Clicks and drags; the keyboard only writes comments."""

    def __init__(self, page, chance):
        self.page, self.chance = page, chance

    def tick(self, selector):
        self.page.locator(selector).click()

    def go_on(self):
        self.page.locator("button.primary").click()

    def pick(self, fieldset, option):
        self.page.locator("fieldset.asked").nth(fieldset).locator("label.choice").nth(option).click()

    def box(self, number):
        return self.page.locator("fieldset.question").nth(number)

    def choose(self, number, option, keys):
        self.box(number).locator("label.choice").nth(option).click()

    def cannot(self, number):
        self.box(number).locator("button.skip").click()

    def slide(self, number):
        slider = self.box(number).locator("input[type=range]")
        size = slider.bounding_box()
        slider.click(position={"x": size["width"] * self.chance.uniform(0.05, 0.95), "y": size["height"] / 2})
        return int(self.box(number).locator(".slider-number").inner_text())

    def count(self, number, options):
        for option in options:
            self.box(number).locator(".category .choice").nth(option).click()

    def nothing_wrong(self, number):
        self.box(number).locator("button.choice", has=self.page.locator("kbd", has_text="0")).click()

    def mark(self, number, side):
        """Drag over some characters."""
        selector = f".{side}.markable"
        size = len(self.page.locator(selector).inner_text().replace("▵", ""))
        start = self.chance.randrange(size - 2)
        place = [start, self.chance.randint(start + 2, min(size, start + 12))]
        (x1, y1), (x2, y2) = self.page.evaluate(PLACES, [selector, *place])
        self.page.mouse.move(x1 + 1, y1)
        self.page.mouse.down()
        self.page.mouse.move(x2 - 1, y2, steps=3)
        self.page.mouse.up()
        self.page.wait_for_selector(".pending")
        assert self.page.evaluate(PENDING, selector) == place
        return place

    def omit(self, number):
        self.box(number).locator("button.choice", has=self.page.locator("kbd", has_text="m")).click()

    def say_of_mark(self, number, option):
        self.box(number).locator(".mark-bar .choice").nth(option).click()

    def comment(self, text):
        self.page.locator("details.remarks summary").click()
        self.page.locator("details.remarks textarea").first.click()
        self.page.keyboard.type(text)

    def forward(self):
        self.page.locator("#next").click()


class Keyboard:
    """Nothing but keys: Tab, arrows, numbers, letters, Enter and Space."""

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

    def slide(self, number):
        self.turn_to(number)
        self.tab_to("input[type=range]")
        tens, ones = self.chance.randrange(10), self.chance.randrange(3)
        for key in ["Home", *["PageUp"] * tens, *["ArrowRight"] * ones]:
            self.press(key)
        return 10 * tens + ones

    def count(self, number, options):
        self.turn_to(number)
        for option in options:
            self.press(str(option + 1))

    def nothing_wrong(self, number):
        self.turn_to(number)
        self.press("0")

    def mark(self, number, side):
        """Word by word to a place, some words wide, and perhaps a character less."""
        selector = f".{side}.markable"
        self.turn_to(number)
        self.tab_to(selector, key=self.chance.choice(["Tab", "Shift+Tab"]))
        steps = ["ArrowRight"] * self.chance.randint(1, 4) + ["Shift+ArrowRight"] * self.chance.randrange(3)
        for key in [*steps, *self.chance.choice([[], [","]])]:
            self.press(key)
        return self.page.evaluate(PENDING, selector)

    def omit(self, number):
        self.turn_to(number)
        self.press("m")

    def say_of_mark(self, number, option):
        if option < 9:
            self.press(str(option + 1))
        else:
            self.tab_to(f".mark-bar .choice:nth-child({option + 1})")
            self.press("Enter")

    def comment(self, text):
        self.press("c")
        self.page.keyboard.type(text)
        self.press("Escape")

    def forward(self):
        self.press("n")
