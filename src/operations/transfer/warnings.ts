/** Values that an import takes although they break a rule of their template variable, for the operator. */
import type { Problem } from './transfer-record.js';

const most = { listed: 100, shown: 10 };

export class Warnings {
  readonly #list: Problem[] = [];
  #count = 0;

  add(warnings: readonly Problem[]): void {
    this.#count += warnings.length;
    this.#list.push(...warnings.slice(0, most.listed - this.#list.length));
  }

  clear(): void {
    this.#list.length = 0;
    this.#count = 0;
  }

  get count(): number {
    return this.#count;
  }

  /** Empty without warnings. */
  get data() {
    if (this.#count === 0) return {};
    const warnings = this.#list.map(({ file = null, line, object = '', field = '', problem }) => ({
      ...{ file, line, object, field },
      message: problem,
    }));
    return { warned: this.#count, warnings };
  }

  get notes(): string[] {
    const shown = this.#list.slice(0, most.shown).map(({ at, field, problem }) => `${at}: ${field} ${problem}`);
    const more = this.#count - shown.length;
    if (this.#count === 0) return shown;
    const values = this.#count === 1 ? '1 value breaks a rule' : `${this.#count} values break rules`;
    return [
      ...shown,
      ...(more > 0 ? [`... and ${more} more`] : []),
      `${values} of template variables; an import takes them.`,
    ];
  }
}
