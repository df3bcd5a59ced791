/** Changes texts in JSON and nothing around them: numbers, blanks and member names stay as written. */
import { parseJson } from '../../values/json.js';

/** `start` and `end` include the quotes. */
export interface JsonText {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

const deepest = 64;
/** JSON may escape these signs. */
const mayHave = { tags: /\[\[|\\u005b/i, tagsOrHtml: /\[\[|<|\\u00(?:5b|3c)/i } as const;
const colon = /[ \t\r\n]*:/y;

/** Values that may have them, in order; none in text that is not JSON or nests too deep. */
export function textsWith(what: keyof typeof mayHave, json: string): readonly JsonText[] {
  const found = literalsWith(mayHave[what], json);
  // Without candidates the rest need not be parsed.
  if (found.length === 0 || parseJson(json) === undefined) return [];
  return found.map(({ start, end }) => ({ start, end, written: textOf(json.slice(start, end)) }));
}

function textOf(literal: string): string {
  return literal.includes('\\') ? String(parseJson(literal)) : literal.slice(1, -1);
}

function literalsWith(sign: RegExp, json: string): readonly Pick<JsonText, 'start' | 'end'>[] {
  const found: Pick<JsonText, 'start' | 'end'>[] = [];
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const letter = json[at];
    if (letter === ']' || letter === '}') depth -= 1;
    else if (letter === '[' || letter === '{') depth += 1;
    if (depth > deepest) return [];
    if (letter !== '"') continue;
    const end = endOfLiteral(json, at);
    if (sign.test(json.slice(at, end)) && !isName(json, end)) found.push({ start: at, end });
    at = end - 1;
  }
  return found;
}

function endOfLiteral(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (json[quote - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return json.length;
}

function isName(json: string, end: number): boolean {
  colon.lastIndex = end;
  return colon.test(json);
}

export function replaceTexts(json: string, texts: readonly (JsonText & { readonly text: string })[]): string {
  let made = '';
  let copied = 0;
  for (const { start, end, written, text } of texts) {
    if (text === written) continue;
    made += json.slice(copied, start) + JSON.stringify(text);
    copied = end;
  }
  return made + json.slice(copied);
}
