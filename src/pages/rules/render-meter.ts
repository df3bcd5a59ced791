/** Counts the work of rendering against a budget, so that it ends at the same point on every machine. */
import { AppError } from '../../errors/app-error.js';

interface RenderBudget {
  /** Parts of templates that are run, once for each turn of a loop. */
  readonly steps: number;
  /** Characters and items that filters and comparisons read. */
  readonly work: number;
  readonly output: number;
}

/** Ten times what the largest section of a real page needs; still a fraction of a second. */
export const sectionBudget: RenderBudget = Object.freeze({ steps: 50_000, work: 5_000_000, output: 1_000_000 });

export const pageBudget: RenderBudget = Object.freeze({ steps: 1_000_000, work: 50_000_000, output: 8_000_000 });

/** Counts for one rendering, and for the whole that it is a part of. */
export class RenderMeter {
  readonly #budget: RenderBudget;
  readonly #whole: RenderMeter | undefined;
  readonly #spent = { steps: 0, work: 0, output: 0 };

  constructor(budget: RenderBudget, whole?: RenderMeter) {
    this.#budget = budget;
    this.#whole = whole;
  }

  /** Throws validation_failed when the budget is exceeded. */
  spend(what: keyof RenderBudget, amount: number): void {
    if (!(amount > 0)) return;
    this.#whole?.spend(what, amount);
    this.#spent[what] += amount;
    if (this.#spent[what] > this.#budget[what]) {
      const of = this.#whole ? 'section' : 'page';
      throw new AppError('validation_failed', {
        message: `the ${of} takes more than ${this.#budget[what]} of ${what}`,
      });
    }
  }
}
