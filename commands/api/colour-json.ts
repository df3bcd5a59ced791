/** JSON on a terminal: indented, names bold, texts green, numbers and words yellow, null dim. */
import type { JsonValue } from '../command.js';
import type { Paint } from '../paint.js';

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false)\b|\bnull\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function colourJson(value: JsonValue, paint: Paint): string {
  return JSON.stringify(value, null, 2).replace(token, (whole, text?: string, colon?: string) => {
    if (text !== undefined) return colon === undefined ? paint.green(text) : `${paint.bold(text)}${colon}`;
    return whole === 'null' ? paint.dim(whole) : paint.yellow(whole);
  });
}
