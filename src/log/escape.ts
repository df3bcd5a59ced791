/** Makes text from outside harmless for terminals, pipes and log lines: no new line, no steering, no reordering. */

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
