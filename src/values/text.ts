/** Small functions of texts, and what makes those from outside harmless for terminals, pipes and log lines. */

/** Half of a surrogate pair would come back from UTF-8 or a database as another character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** In linear time: `/\/+$/` scans a run again from each of its places. */
export function trimOf(text: string, signs: string): string {
  return trimEndOf(trimStartOf(text, signs), signs);
}

export function trimStartOf(text: string, signs: string): string {
  let start = 0;
  while (start < text.length && signs.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => references[character] ?? character);
}

/** Null for a text that is not an address. `URL.canParse` refuses ü in optimized code of Node.js 20 and 22. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Throws for bytes that are not UTF-8; a byte order mark stays. */
export const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** C0 and C1 controls, DEL, line and paragraph separators, and the marks that reorder text. */
const others = String.raw`\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const steering = new RegExp(String.raw`[\u0000-\u001f${others}]`, 'g');
/** Without tab and line feed. All of the log goes through it: a lookahead would take five times as long. */
const steeringInLines = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f${others}]`, 'g');

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOne(character: string): string {
  return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** As in `\n` and `\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(steering, escapeOne);
}

/** Line breaks and tabs stay; JSON stays JSON of the same meaning. */
export function escapeLines(text: string): string {
  return text.replace(steeringInLines, escapeOne);
}

export function capLength(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length - max} more characters)`;
}

/** `1 delivery`, `7 deliveries`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A name of the program as columns, fields and JSON have it. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
