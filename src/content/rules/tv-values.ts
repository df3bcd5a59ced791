/** The stored text of a template variable's value, in the form of the CMS. */
import { DateTime, IANAZone } from 'luxon';
import { accept, type Checked, refuse } from '../../values/checked.js';
import { type JsonValue, parseJson } from '../../values/json.js';
import { trimOf } from '../../values/text.js';

/** Other types, of extras, may hold lists. */
const singleTypes: ReadonlySet<string> = new Set([
  'text',
  'textarea',
  'textareamini',
  'textbox',
  'textfield',
  'richtext',
  'htmlarea',
  'number',
  'email',
  'hidden',
  'url',
  'image',
  'file',
  'date',
  'resourcelist',
  'listbox',
  'dropdown',
  'option',
  'radio',
  'migx',
]);

/** The CMS looks anywhere behind a leading @, and the word may go on. */
const bindingForm = /@(FILE|CHUNK|SNIPPET|DOCUMENT|RESOURCE|SELECT|EVAL|INHERIT|DIRECTORY)/i;

function bindingOf(text: string): RegExpExecArray | null {
  return text.startsWith('@') ? bindingForm.exec(text) : null;
}

export function isBinding(value: string): boolean {
  return bindingOf(value.trimStart()) !== null;
}

/** A binding for which the CMS runs code, reads a file or shows other content, such as `@EVAL`. */
export function evaluatedBinding(value: string): string | null {
  return bindingOf(inheritable(value))?.[0].toUpperCase() ?? null;
}

/** What is inherited may be the text behind `@INHERIT`, which the CMS evaluates again. */
function inheritable(value: string): string {
  let text = value.trimStart();
  for (let found = bindingOf(text); found?.[1]?.toUpperCase() === 'INHERIT'; found = bindingOf(text)) {
    text = text.slice(found.index + found[0].length).trimStart();
  }
  return text;
}

/** A text that the CMS would newly evaluate; texts in JSON count too, because extras show them as values. */
export function addedBinding(value: unknown, old: unknown): string | null {
  if (value === old) return null;
  if (typeof value === 'string' && evaluatedBinding(value) !== null) return value;
  const added = evaluatedTexts(value);
  if (added.length === 0) return null;
  const known = new Set(evaluatedTexts(old));
  return added.find((text) => !known.has(text)) ?? null;
}

function evaluatedTexts(value: unknown): readonly string[] {
  const texts: string[] = [];
  // Grows while it is read: a value may have any depth.
  const open = [value];
  for (const one of open) {
    if (typeof one === 'string') {
      const text = inheritable(one);
      if (bindingOf(text) !== null) texts.push(one);
      else if (/^[[{"]/.test(text) && /@|\\u0040/.test(text)) open.push(parseJson(text));
    } else if (typeof one === 'object' && one !== null) {
      for (const inner of Object.values(one)) open.push(inner);
    }
  }
  return texts;
}

/** `timeZone` is the one of the site's dates. */
export function tvText(
  given: JsonValue,
  { type, timeZone, isJson = false }: { readonly type: string; readonly timeZone: string; readonly isJson?: boolean },
): Checked<string> {
  if (given === null) return accept('');
  if (isJson && typeof given !== 'string') return accept(JSON.stringify(given));
  if (typeof given === 'object') return joined(given, type);
  const text = typeof given === 'boolean' ? String(Number(given)) : String(given);
  if (isBinding(text)) return accept(text);
  if (type === 'date') return dateText(text, timeZone);
  return accept(isTagType(type) ? trimTags(text.split(',')) : text);
}

function isTagType(type: string): boolean {
  return type === 'tag' || type === 'autotag';
}

function trimTags(tags: readonly string[]): string {
  return tags.map((tag) => trimOf(tag, ' \t\n\r\0\v')).join(',');
}

function joined(given: object, type: string): Checked<string> {
  if (singleTypes.has(type)) return refuse(`must be one value: the variable is of the type ${type}`);
  const members = Array.isArray(given) ? given.filter((one) => /^(string|number)$/.test(typeof one)).map(String) : [];
  if (!Array.isArray(given) || members.length < given.length) return refuse('must be a text or a list of texts');
  const separator = isTagType(type) ? ',' : '||';
  if (members.some((member) => member.includes(separator))) {
    return refuse(`must not have "${separator}" in a member of the list: it separates them`);
  }
  const filled = members.filter((member) => member !== '');
  return accept(isTagType(type) ? trimTags(filled) : filled.join(separator));
}

function dateText(given: string, timeZone: string): Checked<string> {
  if (given.trim() === '' || given === '0') return accept('');
  const text = siteTime(given.trim(), timeZone);
  if (text !== null) return accept(text);
  return refuse('must be a date: 2026-11-21 or 2026-11-21 09:30:00 (time of the site), or ISO 8601 with an offset');
}

const form =
  /^\d{4}-\d{2}-\d{2}(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?<offset> ?(?:[Zz]|[+-](?:0\d|1[0-4]):?[0-5]\d))?)?$/;

/** Null for a text that is not a time. A time without an offset is in the site's zone already. */
function siteTime(text: string, timeZone: string): string | null {
  const parts = form.exec(text);
  if (!parts) return null;
  const iso = text
    .toUpperCase()
    .replace(/ (?=\d)/, 'T')
    .replace(' ', '');
  const time = DateTime.fromISO(iso, { zone: parts.groups?.['offset'] === undefined ? 'utc' : timeZone });
  // The form has no place for other years; an impossible date has none.
  return time.year >= 1 && time.year <= 9999 ? time.toFormat('yyyy-MM-dd HH:mm:ss') : null;
}

type ClockTime = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>>;

/** Null for a time that the zone's clocks do not show. */
export function millisecondsAtSite(time: ClockTime, timeZone: string): number | null {
  const there = DateTime.fromObject(time, { zone: timeZone });
  return there.isValid ? there.toMillis() : null;
}

/** Looking a zone up takes longer than using it. */
const zones = new Map<string, string>();
const mostZones = 100;

/** UTC if the name is empty or unknown. */
export function knownTimeZone(name: string): string {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = name !== '' && IANAZone.isValidZone(name) ? name : 'UTC';
  if (zones.size >= mostZones) zones.clear();
  zones.set(name, zone);
  return zone;
}

const inheritForm = /^\s*@INHERIT/i;

export function isInherited(value: string): boolean {
  return inheritForm.test(value);
}

/** The first parent's value that is neither empty nor a binding; without one, the text behind `@INHERIT`. */
export function rawValue(question: {
  readonly variable: { readonly id: number; readonly defaultText: string | null };
  readonly resourceId: number;
  readonly source: {
    /** Undefined without a row. An empty text is a value. */
    readonly stored: (variableId: number, resourceId: number) => string | undefined;
    readonly parentOf: (resourceId: number) => number | undefined;
  };
}): string {
  const { variable, resourceId, source } = question;
  const own = (id: number): string => source.stored(variable.id, id) ?? variable.defaultText ?? '';
  const value = own(resourceId);
  const inherit = inheritForm.exec(value);
  if (!inherit) return value;
  const met = new Set([resourceId]);
  for (let id = source.parentOf(resourceId); id && !met.has(id); id = source.parentOf(id)) {
    met.add(id);
    const inherited = own(id);
    if (inherited !== '' && !inherited.startsWith('@')) return inherited;
  }
  return value.slice(inherit[0].length).trim();
}
