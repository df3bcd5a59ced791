/** The filters of templates. Each counts its work first; only `rich`, which sanitises, returns unescaped text. */
import type { FilterImplOptions } from 'liquidjs';
import { AppError } from '../../errors/app-error.js';
import { isJsonObject, memberOf } from '../../values/json.js';
import { safeLink, safeSource } from './safe-url.js';
import { htmlToText, sanitizeHtml } from './sanitize-html.js';

interface Running {
  readonly context: { readonly memoryLimit: { use(count: number): void } };
}

type Filter = (value: unknown, ...given: readonly unknown[]) => unknown;

/** Objects count as one. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 1;
  return value.reduce((sum: number, item: unknown) => sum + 1 + weigh(item), 0);
}

/** Objects have no text: templates have to name their members. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(printValue).join('') : '';
}

const filters: Readonly<Record<string, Filter>> = {
  capitalize: (value) => printValue(value).replace(/^./u, (letter) => letter.toUpperCase()),
  default: (value, other) => (isBlank(value) ? other : value),
  divided_by: (value, other) => calculate(toNumber(value) / toNumber(other)),
  downcase: (value) => printValue(value).toLowerCase(),
  first: (value) => (Array.isArray(value) ? value[0] : printValue(value).slice(0, 1)),
  image: shownAddress,
  last: (value) => (Array.isArray(value) ? value.at(-1) : printValue(value).slice(-1)),
  lines: (value) =>
    printValue(value)
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  minus: (value, other) => calculate(toNumber(value) - toNumber(other)),
  modulo: (value, other) => calculate(toNumber(value) % toNumber(other)),
  plus: (value, other) => calculate(toNumber(value) + toNumber(other)),
  round: (value, digits) => calculate(roundTo(toNumber(value), toNumber(digits))),
  size: (value) => (Array.isArray(value) ? value.length : printValue(value).length),
  src: (value) => safeSource(printValue(value)) ?? '',
  strip: (value) => printValue(value).trim(),
  tel: (value) =>
    `tel:${printValue(value)
      .replace(/\(0\)/g, '')
      .replace(/[^\d+]/g, '')}`,
  times: (value, other) => calculate(toNumber(value) * toNumber(other)),
  truncate: (value, length) => truncate(printValue(value), toNumber(length ?? 50)),
  upcase: (value) => printValue(value).toUpperCase(),
  url: (value) => safeLink(printValue(value)) ?? '',
};

/** Parsing a character costs as much as reading this many. */
const parsing = 20;

export const templateFilters: Readonly<Record<string, FilterImplOptions>> = Object.freeze({
  ...Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, paid(filter)])),
  join(this: Running, value: unknown, separator: unknown = ' ') {
    const parts = (Array.isArray(value) ? value : [value]).map(printValue);
    const between = printValue(separator);
    // The one filter whose result can be larger than all that it is given.
    const made = parts.reduce((sum, part) => sum + part.length + between.length, 1);
    this.context.memoryLimit.use(made);
    return parts.join(between);
  },
  plain: paid((value) => htmlToText(printValue(value)), parsing),
  rich: { raw: true, handler: paid((value) => sanitizeHtml(printValue(value)), parsing) },
});

function paid(filter: Filter, factor = 1) {
  return function runFilter(this: Running, value: unknown, ...given: unknown[]): unknown {
    const weight = given.reduce((sum: number, one) => sum + 1 + weigh(one), 1 + weigh(value));
    this.context.memoryLimit.use(weight * factor);
    return filter(value, ...given);
  };
}

function shownAddress(value: unknown): string {
  if (!isJsonObject(value)) return typeof value === 'string' ? (safeSource(value) ?? '') : '';
  const crops = memberOf(value, 'crops');
  const named = isJsonObject(crops) ? [memberOf(crops, 'default'), ...Object.values(crops)] : [];
  const addresses = [...named, value].map((one) => (isJsonObject(one) ? memberOf(one, 'url') : undefined));
  const address = addresses.find((one) => typeof one === 'string' && one !== '');
  return typeof address === 'string' ? (safeSource(address) ?? '') : '';
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

function toNumber(value: unknown): number {
  const number = typeof value === 'number' ? value : Number.parseFloat(printValue(value));
  return Number.isFinite(number) ? number : 0;
}

/** Numbers that cannot be written (divided by zero) become nothing. */
function calculate(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

function roundTo(number: number, digits: number): number {
  const factor = 10 ** Math.min(Math.max(Math.trunc(digits), 0), 6);
  return Math.round(number * factor) / factor;
}

/** The length includes the ellipsis; never half a character. */
function truncate(text: string, length: number): string {
  const characters = [...text];
  const most = Math.max(0, Math.trunc(length));
  return characters.length <= most ? text : `${characters.slice(0, Math.max(0, most - 1)).join('')}…`;
}

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
