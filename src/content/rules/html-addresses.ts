/** Finds the addresses in attributes and styles of HTML in one pass. */

type MapValue = (value: string, map: (address: string) => string) => string;

const readers: ReadonlyMap<string, MapValue> = new Map([
  ...namesOf('src href xlink:href poster data action formaction background data-src', mapTrimmed),
  ...namesOf('srcset imagesrcset data-srcset', mapCandidates),
  ...namesOf('style', mapStyle),
]);

function namesOf(names: string, read: MapValue): (readonly [string, MapValue])[] {
  return names.split(' ').map((name) => [name, read]);
}

/** A comment, an element whose text has no tags, or another one. */
const opening = /<(?:!--|(script|style|textarea|title)(?![^\t\n\f\r />=])|[a-z][^\t\n\f\r />=]*)/iy;
/** Its value may have quotes; one that does not end reaches to the end of the text. */
const attribute = /[\t\n\f\r /=]*([^\t\n\f\r />=]+)(?:[\t\n\f\r ]*=[\t\n\f\r ]*("[^"]*"?|'[^']*'?|[^\t\n\f\r >]*))?/y;

export function mapAddresses(html: string, map: (address: string) => string): string {
  let made = '';
  let copied = 0;
  const replace = (from: number, value: string, name: string): void => {
    const mapped = readers.get(name)?.(value, map) ?? value;
    if (mapped === value) return;
    made += html.slice(copied, from) + mapped;
    copied = from + value.length;
  };
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    opening.lastIndex = at;
    const [begun, raw] = opening.exec(html) ?? ['<'];
    at += begun.length;
    if (begun === '<') continue;
    at = begun === '<!--' ? html.indexOf('-->', at) : readAttributes(html, at, replace);
    if (at !== -1 && raw !== undefined) at = endOfRaw(html, at, raw);
    if (at === -1) break;
  }
  return copied === 0 ? html : made + html.slice(copied);
}

function endOfRaw(html: string, from: number, element: string): number {
  const end = new RegExp(`</${element}`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? -1;
}

/** Returns where the tag ends; -1 for one that does not end. */
function readAttributes(
  html: string,
  from: number,
  found: (from: number, value: string, name: string) => void,
): number {
  for (let at = from; ; ) {
    if (html[at] === '>') return at;
    attribute.lastIndex = at;
    const [pair, name = '', written] = attribute.exec(html) ?? [];
    if (pair === undefined) return html.indexOf('>', at);
    at += pair.length;
    if (written === undefined) continue;
    const isQuoted = written.startsWith('"') || written.startsWith("'");
    if (isQuoted && (written.length === 1 || !written.endsWith(written.charAt(0)))) return -1;
    const value = isQuoted ? written.slice(1, -1) : written;
    found(at - value.length - (isQuoted ? 1 : 0), value, name.toLowerCase());
  }
}

function skip(text: string, from: number, sign: RegExp): number {
  let at = from;
  while (at < text.length && sign.test(text.charAt(at))) at += 1;
  return at;
}

function mapTrimmed(value: string, map: (address: string) => string): string {
  const address = value.trim();
  return address === '' ? value : map(address);
}

/** `a.jpg 1x, b.jpg 2x`: an address ends at a space; a comma before the space ends its description too. */
function mapCandidates(value: string, map: (address: string) => string): string {
  let made = '';
  for (let at = 0; at < value.length; ) {
    const start = skip(value, at, /[\s,]/);
    const end = skip(value, start, /\S/);
    let length = end - start;
    while (length > 0 && value.charAt(start + length - 1) === ',') length -= 1;
    const next = start + length < end ? end : skip(value, end, /[^,]/);
    const address = value.slice(start, start + length);
    made += value.slice(at, start) + (address === '' ? '' : map(address)) + value.slice(start + length, next);
    at = next;
  }
  return made;
}

const quotes = ['"', "'", '&quot;', '&#34;', '&#39;', '&apos;'];

/** `url(a.jpg)` of a style. A value that CSS would not read literally stays: escapes, and spaces without quotes. */
function mapStyle(style: string, map: (address: string) => string): string {
  let made = '';
  let copied = 0;
  for (const { index } of style.matchAll(/url\(/gi)) {
    if (index < copied) continue;
    const opening = skip(style, index + 4, /\s/);
    const quote = quotes.find((one) => style.startsWith(one, opening)) ?? '';
    const start = opening + quote.length;
    const end = style.indexOf(quote || ')', start);
    if (end === -1) break;
    const value = style.slice(start, end);
    const isPlain = !value.includes('\\') && (quote !== '' || !/\S\s+\S/.test(value));
    made += style.slice(copied, start) + (isPlain ? mapTrimmed(value, map) : value);
    copied = end;
  }
  return made + style.slice(copied);
}
