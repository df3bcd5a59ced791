/** Problems of a page document or a section type with their places, and the error that has all of them. */
import { invalidFields } from '../../errors/app-error.js';
import { listsBy } from '../../values/batches.js';
import { isJsonObject, memberOf } from '../../values/json.js';
import type { Problems } from '../../values/reading.js';
import { type ValueKind, valueKindOf } from './field-types.js';
import type { PageDocument } from './page-document.js';
import { countingFields, type FieldDefinition, type SectionTypes } from './section-type.js';

interface ProblemSection {
  readonly index: number;
  readonly type: string;
  readonly id: string;
}

export interface PageProblem {
  /** For example `sections[2].data.items[0].title`; empty for the whole. */
  readonly path: string;
  readonly message: string;
  readonly section?: ProblemSection;
}

export interface PageReading<T> {
  readonly value: T | null;
  readonly problems: readonly PageProblem[];
}

export interface Sanitised {
  readonly section: number;
  readonly field: string;
  readonly removed: readonly string[];
}

/** Counts more than `mostProblems` without keeping them: hostile input must not fill the memory. */
export class PageProblems implements Problems {
  readonly #list: PageProblem[] = [];
  readonly #sanitised: Sanitised[] = [];
  #section: ProblemSection | undefined;

  within(section: ProblemSection, work: () => void): void {
    this.#section = section;
    work();
    this.#section = undefined;
  }

  add(path: string, message: string): void {
    if (this.#list.length >= mostProblems) return;
    this.#list.push({ path, message, ...(this.#section ? { section: this.#section } : {}) });
  }

  addRemoved(path: string, removed: ReadonlySet<string>): void {
    if (removed.size === 0 || this.#section === undefined || this.#sanitised.length >= mostProblems) return;
    const field = path.slice(path.indexOf('.data.') + '.data.'.length);
    this.#sanitised.push({ section: this.#section.index, field, removed: [...removed] });
  }

  get sanitised(): readonly Sanitised[] {
    return this.#sanitised;
  }

  get any(): boolean {
    return this.#list.length > 0;
  }

  get isFull(): boolean {
    return this.#list.length >= mostProblems;
  }

  list(): readonly PageProblem[] {
    return Object.freeze([...this.#list]);
  }
}

/** Enough for one round of corrections. */
export const mostProblems = 100;

/** `sections[2].data.title (hero, 0f3c…): must be a text` */
export function formatPageProblem({ path, message, section }: PageProblem): string {
  const where = section ? ` (${[section.type, section.id].filter((word) => word !== '').join(', ')})` : '';
  return path === '' ? message : `${path}${where}: ${message}`;
}

/** Throws validation_failed with every problem, if there are any. `what` names the refused action. */
export function refuseProblems(problems: readonly PageProblem[], what: string): void {
  if (problems.length === 0) return;
  const fields = listsBy(problems, (one) => [one.path || 'document', describe(one)]);
  throw invalidFields(Object.fromEntries(fields), `${what}: ${counted(problems.length)}`);
}

/** Throws like refuseProblems when there is no value. */
export function requireValue<T>({ value, problems }: PageReading<T>, what: string): T {
  refuseProblems(problems, what);
  if (value === null) throw invalidFields({ document: ['could not be read'] }, what);
  return value;
}

/** `is required to publish (hero section 0f3c…)` */
function describe({ message, section }: PageProblem): string {
  if (!section || section.type === '') return message;
  return `${message} (${section.type} section${section.id === '' ? '' : ` ${section.id}`})`;
}

function counted(number: number): string {
  return number === 1 ? 'one problem' : `${number} problems`;
}

/** A section of an unknown type could not be rendered, so it is a problem. */
export function publishProblems(document: PageDocument, types: SectionTypes): readonly PageProblem[] {
  const problems = new PageProblems();
  for (const [index, section] of document.sections.entries()) {
    if (!section.enabled) continue;
    problems.within({ index, type: section.type, id: section.id }, () => {
      const type = types.get(section.type);
      if (type) checkLevel(section.data, { fields: type.fields, path: `sections[${index}].data`, problems });
      else problems.add(`sections[${index}].type`, `${section.type} is not a section type`);
    });
  }
  return problems.list();
}

function checkLevel(
  values: Readonly<Record<string, unknown>>,
  at: { readonly fields: readonly FieldDefinition[]; readonly path: string; readonly problems: PageProblems },
): void {
  const { fields, path, problems } = at;
  for (const field of countingFields(fields, values)) {
    const value = memberOf(values, field.name);
    const where = `${path}.${field.name}`;
    if (field.required && isEmptyValue(value, valueKindOf(field.type))) problems.add(where, 'is required to publish');
    if (valueKindOf(field.type) !== 'rows' || !Array.isArray(value)) continue;
    for (const [index, row] of value.entries()) {
      if (isJsonObject(row)) checkLevel(row, { fields: field.fields, path: `${where}[${index}]`, problems });
    }
  }
}

/** One of these members is enough for an object to count as filled in. */
const telling = ['url', 'label', 'lat', 'html', 'json', 'from', 'table_key', 'provider', 'desktop', 'tablet', 'mobile'];

/** Markup without text counts as empty only in rich text. */
function isEmptyValue(value: unknown, kind: ValueKind = 'html'): boolean {
  if (value === undefined || value === null) return true;
  const isRich = kind === 'html' || kind === 'editorjs';
  if (typeof value === 'string') return isRich ? isEmptyHtml(value) : value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  // Every number is a value, 0 included, and so is an unset flag.
  if (!isJsonObject(value)) return false;
  return telling.every((name) => {
    const member = memberOf(value, name);
    return member === undefined || member === null || (typeof member === 'string' && isEmptyValue(member, kind));
  });
}

function isEmptyHtml(text: string): boolean {
  if (/<(img|hr|table)\b/i.test(text)) return false;
  return (
    text
      // No second bracket: a text of brackets alone would take time with the square of its length.
      .replace(/<[^<>]*>/g, '')
      .replace(/&nbsp;|\u00a0/g, ' ')
      .trim() === ''
  );
}
