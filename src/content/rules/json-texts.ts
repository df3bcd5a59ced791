/** Changes texts in JSON and nothing around them: numbers, blanks and member names stay as written. */
import { isWithinDepth, parseJson } from '../../values/json.js';

/** `start` and `end` include the quotes. */
export interface JsonText {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

const deepest = 64;
/** JSON may escape these signs. */
const mayHave = { tags: /\[\[|\\u005b/i, tagsOrHtml: /\[\[|<|\\u00(?:5b|3c)/i } as const;
/** Outside JSON one may have no end. */
const literals = /"[^"\\]*(?:\\.[^"\\]*)*"?/gs;
const colon = /[ \t\r\n]*:/y;

/** Values that may have them, in order; none in text that is not JSON or nests too deep. */
export function textsWith(what: keyof typeof mayHave, json: string): readonly JsonText[] {
  const found: JsonText[] = [];
  for (const { 0: written, index: start } of json.matchAll(literals)) {
    if (!mayHave[what].test(written)) continue;
    const end = start + written.length;
    colon.lastIndex = end;
    const isName = colon.test(json);
    if (!isName) found.push({ start, end, written });
  }
  // Without candidates the rest need not be parsed.
  const value = found.length === 0 ? undefined : parseJson(json);
  if (value === undefined || !isWithinDepth(value, deepest)) return [];
  return found.map((one) => ({ ...one, written: String(parseJson(one.written)) }));
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
