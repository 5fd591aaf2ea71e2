/** Undo and redo for every answer: each step knows what was there before and after. Saved answers stay; the last one counts. */

export class History {
  constructor() {
    this.past = [];
    this.future = [];
  }

  /** `joined`: this step belongs to the one before it, and goes with it. */
  add(step) {
    this.past.push(step);
    this.future = [];
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  /** The steps to take back, the last first. */
  undo() {
    const steps = [];
    do steps.push(this.past.pop());
    while (steps.at(-1)?.joined && this.past.length);
    this.future.push(...steps);
    return steps.map(({ screen, question, before }) => ({ screen, question, answer: before }));
  }

  redo() {
    const steps = [];
    do steps.push(this.future.pop());
    while (this.future.at(-1)?.joined);
    this.past.push(...steps);
    return steps.map(({ screen, question, after }) => ({ screen, question, answer: after }));
  }
}
