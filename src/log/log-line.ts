/** A line of the log for programs. */
import { capLength, escapeControls } from './escape.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type Fields = Readonly<Record<string, unknown>>;

export interface Entry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Fields;
}

/** Characters of one text; what is longer is cut. */
export const longestField = 1024;

/** To a hundredth. */
export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

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
