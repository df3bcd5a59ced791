/** What is wrong with files, line by line. */
import { AppError } from '../../errors/app-error.js';

/** Wrong lines after which something else is wrong than single lines. */
const mostLines = 100;

export class Problems {
  readonly #lines = new Map<string, string[]>();

  /** `at` is the line, as `line 12`. Throws `refused` when there are too many. */
  add(at: string, problem: string): void {
    const known = this.#lines.get(at);
    if (known) known.push(problem);
    else this.#lines.set(at, [problem]);
    if (this.#lines.size >= mostLines) throw this.refusal();
  }

  refuseAny(): void {
    if (this.#lines.size > 0) throw this.refusal();
  }

  refusal(): AppError {
    const [first] = this.#lines;
    const [at = '', [problem = ''] = []] = first ?? [];
    const more = this.#lines.size > 1 ? `; ${this.#lines.size} lines are wrong in all` : '';
    return new AppError('refused', {
      message: `${at}: ${problem}${more}`,
      details: { fields: Object.fromEntries(this.#lines) },
    });
  }
}
