/**
 * Links to resources inside texts. The CMS writes `[[~12]]`; files write `[[~web:about.html]]`, and the link becomes that
 * of the id which the page has in the store. `#2` behind the URI names the second resource there. A text that already
 * looks like a link of a file gets one more colon: `[[~:web:about.html]]`.
 */
import type { JsonValue } from '../../content/objects/values.js';
import type { Names } from './names.js';
import { type Place, placeOf } from './record-names.js';
import { isCount } from './transfer-record.js';

/** Characters that end a URI in a link, and those with a meaning in it, are percent-encoded. */
const named = /\[\[~(:*)((?!\d+:)[\w.%-]+):([^\s[\]?&`:]*)/g;
const stored = /\[\[~(?:(:*)((?!\d+:)[\w.%-]+):|(\d{1,10})(?=[\s[\]?&`:]|$))/g;

/** As a store has it. Throws MissingResource. */
export function linkPages(text: string, names: Names): Promise<string> {
  return replaceLinks(text, named, async ([, colons = '', context = '', uri = '']) => {
    if (colons !== '') return `[[~${colons.slice(1)}${context}:${uri}`;
    return `[[~${await names.idOf('resources', linkedPlace(context, uri))}`;
  });
}

/** As files have it. A link to a missing resource becomes `[[~0]]`, so that it never leads to another one. */
export function namePages(text: string, names: Names): Promise<string> {
  return replaceLinks(text, stored, async ([, colons = '', context, id]) => {
    if (id === undefined) return `[[~:${colons}${context}:`;
    const place = id === '0' ? null : placeOf(await names.nameOrLose('resources', Number(id)));
    return place === null ? '[[~0' : `[[~${linkText(place)}`;
  });
}

async function replaceLinks(
  text: string,
  links: RegExp,
  change: (match: RegExpExecArray) => Promise<string>,
): Promise<string> {
  if (!text.includes('[[~')) return text;
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(links)) {
    parts.push(text.slice(from, match.index), await change(match));
    from = match.index + match[0].length;
  }
  return parts.join('') + text.slice(from);
}

export function linkTexts(value: unknown, names: Names): Promise<JsonValue> {
  return mapTexts(value as JsonValue, (text) => linkPages(text, names));
}

export function nameTexts(value: unknown, names: Names): Promise<JsonValue> {
  return mapTexts(value as JsonValue, (text) => namePages(text, names));
}

async function mapTexts(value: JsonValue, change: (text: string) => Promise<string>): Promise<JsonValue> {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(await mapTexts(item, change));
    return items;
  }
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) members.push([name, await mapTexts(member, change)]);
  return Object.fromEntries(members);
}

function linkText({ context, uri, nth }: Place): string {
  const key = /^\d+$/.test(context) ? `%3${context}` : encode(context, /[^\w.-]/gu);
  return `${key}:${encode(uri, /[\s[\]?&`:#%]/g)}${nth > 1 ? `#${nth}` : ''}`;
}

function linkedPlace(context: string, uri: string): Place {
  const [, path = '', digits] = /^([^#]*)(?:#(\d{1,7}))?/.exec(uri) ?? [];
  const nth = Number(digits ?? 1);
  return { context: decode(context), uri: decode(path), nth: isCount(nth) ? nth : 1 };
}

function encode(text: string, characters: RegExp): string {
  return text.replace(characters, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
  );
}

function decode(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
