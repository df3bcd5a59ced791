/** What a line of the log says, and its form for programs: one JSON object a line, whatever is in its texts. */
import { capLength, escapeControls } from './escape.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type Fields = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

export interface Entry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Fields;
}

/** Characters of one text; what is longer is cut. */
export const longestField = 1024;

/** Milliseconds as they are written: to a hundredth. */
export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

/** The line with its line break. */
export function jsonLine(entry: Entry, { time, event }: { readonly time: string; readonly event: string }): string {
  const line: Record<string, unknown> = {
    time,
    level: entry.level,
    event,
    message: capLength(entry.message, longestField),
  };
  for (const [name, value] of Object.entries(entry.fields)) {
    if (value !== undefined) line[name] = typeof value === 'string' && name !== 'stack' ? capField(name, value) : value;
  }
  // JSON leaves DEL, C1 controls, line separators and reordering marks as they are; inside strings \uXXXX is the same.
  return `${escapeControls(JSON.stringify(line))}\n`;
}

/** `error` is a chain of capped messages already. */
function capField(name: string, value: string): string {
  return name === 'error' ? value : capLength(value, longestField);
}
