/** Finds the addresses in attributes and styles of HTML in one pass. */

type MapValue = (value: string, map: (address: string) => string) => string;

const readers: Readonly<Record<string, MapValue>> = {
  ...{ src: mapTrimmed, href: mapTrimmed, 'xlink:href': mapTrimmed, poster: mapTrimmed, data: mapTrimmed },
  ...{ action: mapTrimmed, formaction: mapTrimmed, background: mapTrimmed, 'data-src': mapTrimmed },
  ...{ srcset: mapCandidates, imagesrcset: mapCandidates, 'data-srcset': mapCandidates, style: mapStyle },
};
const addressed = namesOf(Object.keys(readers));
const rawElements = namesOf(['script', 'style', 'textarea', 'title']);

export function mapAddresses(html: string, map: (address: string) => string): string {
  let made = '';
  let copied = 0;
  const replace = (from: number, to: number, name: string): void => {
    const value = html.slice(from, to);
    const mapped = readers[name]?.(value, map) ?? value;
    if (mapped === value) return;
    made += html.slice(copied, from) + mapped;
    copied = to;
  };
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (!isLetter(html.charCodeAt(at + 1))) {
      at += 1;
      if (!html.startsWith('!--', at)) continue;
      const end = html.indexOf('-->', at + 3);
      if (end === -1) break;
      at = end + 3;
      continue;
    }
    const nameEnd = endOfWord(html, at + 1);
    const raw = rawElements(html, at + 1, nameEnd);
    at = readTag(html, nameEnd, replace);
    if (raw === null) continue;
    const end = endOfRaw(html, at, raw);
    if (end === -1) break;
    at = end;
  }
  return copied === 0 ? html : made + html.slice(copied);
}

/** Returns the name in lower case if known. Most words differ in length, so few are compared. */
function namesOf(names: readonly string[]): (html: string, from: number, to: number) => string | null {
  const known: ReadonlySet<string> = new Set(names);
  const lengths = names.map(({ length }) => length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  return (html, from, to) => {
    if (to - from < shortest || to - from > longest) return null;
    const name = html.slice(from, to).toLowerCase();
    return known.has(name) ? name : null;
  };
}

function endOfRaw(html: string, from: number, element: string): number {
  const end = new RegExp(`</${element}`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? -1;
}

function readTag(html: string, from: number, found: (from: number, to: number, name: string) => void): number {
  let at = from;
  for (let code = html.charCodeAt(at); at < html.length && code !== signs.end; code = html.charCodeAt(at)) {
    if (isSpace(code) || code === signs.slash || code === signs.equals) {
      at += 1;
      continue;
    }
    const nameStart = at;
    const nameEnd = endOfWord(html, at);
    at = skipSpace(html, nameEnd);
    if (html.charCodeAt(at) !== signs.equals) continue;
    at = skipSpace(html, at + 1);
    const quote = html.charAt(at);
    const isQuoted = quote === '"' || quote === "'";
    const start = isQuoted ? at + 1 : at;
    const end = isQuoted ? html.indexOf(quote, start) : endOfBareValue(html, start);
    if (end === -1) return html.length;
    const name = addressed(html, nameStart, nameEnd);
    if (name !== null) found(start, end, name);
    at = isQuoted ? end + 1 : end;
  }
  return Math.min(at + 1, html.length);
}

/** Codes of characters: testing each with an expression would take most of the time. */
const signs = { slash: 0x2f, equals: 0x3d, end: 0x3e } as const;

/** Tab, line feed, form feed, carriage return, space. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function endOfWord(html: string, from: number): number {
  let at = from;
  for (let code = html.charCodeAt(at); at < html.length && code !== signs.end; code = html.charCodeAt(at)) {
    if (isSpace(code) || code === signs.slash || code === signs.equals) break;
    at += 1;
  }
  return at;
}

function endOfBareValue(html: string, from: number): number {
  let at = from;
  while (at < html.length && html.charCodeAt(at) !== signs.end && !isSpace(html.charCodeAt(at))) at += 1;
  return at;
}

function skipSpace(html: string, from: number): number {
  let at = from;
  while (isSpace(html.charCodeAt(at))) at += 1;
  return at;
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
