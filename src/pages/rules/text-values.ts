/** Readers of values that are texts, or lists of texts. */
import { AppError } from '../../errors/app-error.js';
import {
  listOf,
  quoted,
  type Reader,
  type Reading,
  readText,
  refuse,
  shapedObject,
  type TextForm,
} from '../../values/reading.js';
import { pageLimits } from './page-document.js';
import { linkSchemeNames, safeLink, safeSource } from './safe-url.js';
import { sanitizeHtml } from './sanitize-html.js';
import type { FieldDefinition } from './section-type.js';

export interface ValueReading extends Reading {
  readonly field: FieldDefinition;
}

/** What is stored is what may be shown. */
export function readHtml(reading: Reading): string | undefined {
  const text = readText(reading, pageLimits.htmlCharacters);
  if (text === undefined) return undefined;
  try {
    const removed = new Set<string>();
    const html = sanitizeHtml(text, removed);
    reading.problems.addRemoved?.(reading.path, removed);
    return html;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refuse(reading, error.message);
  }
}

export function readUrl(reading: Reading): string | undefined {
  return readAddress(reading, safeLink, linkSchemeNames);
}

export function readSource(reading: Reading): string | undefined {
  return readAddress(reading, safeSource, 'http, https');
}

function readAddress(reading: Reading, rule: (address: string) => string | null, schemes: string): string | undefined {
  const text = readText(reading);
  if (text === undefined || text.trim() === '') return text?.trim();
  return rule(text) ?? refuse(reading, `must be a relative address or one of ${schemes}, not ${quoted(text)}`);
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
} as const satisfies Readonly<Record<string, TextForm>>;

export function patternReader(name: keyof typeof patterns): Reader<string> {
  const { pattern, says } = patterns[name];
  return (reading) => {
    const text = readText(reading);
    if (text === undefined) return undefined;
    const match = pattern.exec(text);
    if (match && (!name.startsWith('date') || isCalendarDay(match))) return text;
    return refuse(reading, `must be ${says}, not ${quoted(text)}`);
  };
}

function isCalendarDay([, year, month, day]: readonly string[]): boolean {
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
}

const readDay = patternReader('date');
const readDays = shapedObject<{ readonly from: string; readonly to: string }>(
  { from: readDay, to: readDay },
  { required: ['from', 'to'] },
);

/** `from` is not after `to`. */
export function readDateRange(reading: Reading): unknown {
  const range = readDays(reading);
  return range && range.from > range.to ? refuse(reading, 'must not end before it begins') : range;
}

/** Any text when the field has no options. Empty means nothing chosen. */
export function readChoice(reading: ValueReading): string | undefined {
  const text = readText(reading);
  const { options } = reading.field;
  if (text === undefined || text === '' || options.length === 0) return text;
  if (options.some((option) => option.value === text)) return text;
  return refuse(reading, `must be one of: ${options.map((option) => option.value).join(', ')}`);
}

export function readChoices({ field, ...reading }: ValueReading): unknown {
  return listOf({ of: 'texts' }, (item) => readChoice({ ...item, field }))(reading);
}
