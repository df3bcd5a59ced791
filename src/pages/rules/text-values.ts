/** Readers of values that are texts, or lists of texts. */
import { AppError } from '../../errors/app-error.js';
import { isJsonObject, kindName, memberOf, objectOf } from '../../values/json.js';
import { pageLimits } from './page-limits.js';
import { quoted } from './page-problem.js';
import { linkSchemeNames, safeLink } from './safe-url.js';
import { sanitizeHtml } from './sanitize-html.js';
import type { ValueReading } from './value-reading.js';

/** The text as it is, when it is not longer than the bound. */
export function readText({ value, path, problems }: Omit<ValueReading, 'field'>, longest: number): string | undefined {
  if (typeof value !== 'string') {
    problems.add(path, `must be a text, not ${kindName(value)}`);
    return undefined;
  }
  if (value.length > longest) {
    problems.add(path, `must have at most ${longest} characters`);
    return undefined;
  }
  // Half of a pair cannot be written as UTF-8, and would come back from a database as another character.
  if (/[\ud800-\udfff]/u.test(value) || value.includes('\0')) {
    problems.add(path, 'must not have NUL characters or halves of surrogate pairs');
    return undefined;
  }
  return value;
}

/** Rich text, sanitised: what is stored is what may be shown. */
export function readHtml(reading: ValueReading): string | undefined {
  const text = readText(reading, pageLimits.htmlCharacters);
  if (text === undefined) return undefined;
  try {
    return sanitizeHtml(text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    reading.problems.add(reading.path, error.message);
    return undefined;
  }
}

/** An address that a link may have; empty stays empty. */
export function readUrl(reading: Omit<ValueReading, 'field'>): string | undefined {
  const text = readText(reading, pageLimits.textCharacters);
  if (text === undefined || text.trim() === '') return text?.trim();
  const address = safeLink(text);
  if (address === null) {
    reading.problems.add(reading.path, `must be a relative address or one of ${linkSchemeNames}, not ${quoted(text)}`);
    return undefined;
  }
  return address;
}

const patterns = {
  slug: { pattern: /^[\p{L}\p{N}_-]*$/u, says: 'a text of letters, digits, hyphens and underscores' },
  email: { pattern: /^([^\s@<>"']+@[^\s@<>"']+)?$/, says: 'an e-mail address' },
  date: { pattern: /^(\d{4})-(\d{2})-(\d{2})$/, says: 'a date as YYYY-MM-DD' },
  time: { pattern: /^([01]\d|2[0-3]):[0-5]\d$/, says: 'a time as HH:MM' },
  datetime: {
    pattern: /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/,
    says: 'a local time as YYYY-MM-DDTHH:MM, without a zone',
  },
} as const;

/** A text of a fixed form. */
export function readPattern(reading: Omit<ValueReading, 'field'>, name: keyof typeof patterns): string | undefined {
  const { value, path, problems } = reading;
  const { pattern, says } = patterns[name];
  const text = readText(reading, pageLimits.textCharacters);
  if (text === undefined) return undefined;
  const match = pattern.exec(text);
  const [, year, month, day] = match ?? [];
  const isDay = !name.startsWith('date') || isCalendarDay({ year, month, day });
  if (match && isDay) return text;
  problems.add(path, `must be ${says}, not ${quoted(String(value))}`);
  return undefined;
}

/** Two dates, `from` not after `to`. */
export function readDateRange({ value, path, problems }: ValueReading): unknown {
  if (!isJsonObject(value)) {
    problems.add(path, `must be an object with from and to, not ${kindName(value)}`);
    return undefined;
  }
  const [from, to] = ['from', 'to'].map((name) =>
    readPattern({ value: memberOf(value, name), path: `${path}.${name}`, problems }, 'date'),
  );
  if (from === undefined || to === undefined) return undefined;
  if (from > to) {
    problems.add(path, 'must not end before it begins');
    return undefined;
  }
  return Object.freeze(objectOf(Object.entries({ from, to })));
}

/** One of the options; any text when the field has none. Empty means nothing chosen. */
export function readChoice(reading: ValueReading): string | undefined {
  const text = readText(reading, pageLimits.textCharacters);
  if (text === undefined || text === '') return text;
  const { options } = reading.field;
  if (options.length === 0 || options.some((option) => option.value === text)) return text;
  reading.problems.add(reading.path, `must be one of: ${options.map((option) => option.value).join(', ')}`);
  return undefined;
}

/** Several of the options. */
export function readChoices(reading: ValueReading): unknown {
  const { value, path, problems } = reading;
  if (!Array.isArray(value) || value.length > pageLimits.items) {
    problems.add(path, `must be a list of at most ${pageLimits.items} texts, not ${kindName(value)}`);
    return undefined;
  }
  const texts = value.map((one: unknown, at) => readChoice({ ...reading, value: one, path: `${path}[${at}]` }));
  return Object.freeze(texts.filter((text) => text !== undefined));
}

function isCalendarDay({ year, month, day }: Record<'year' | 'month' | 'day', string | undefined>): boolean {
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
}
