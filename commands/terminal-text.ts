/** Measures, cuts and breaks text by columns. Where terminals differ the larger width counts. */
import type { Output } from './streams.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character opens a sequence of colour
const paint = /\u001b\[[\d;]*m/g;

/** CJK, kana, Hangul and emoji: two columns. */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2329\u232a\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Combining marks take no column. The emoji selector makes the character before it wider. */
const without = /[\p{Mn}\p{Me}\u200b\u2060\ufeff]/u;
const emojiMark = '\ufe0f';
const plain = /^[\u0020-\u007e]*$/;

/** Without line breaks; colour takes none. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(paint, '')) width += widthOf(character);
  return width;
}

function widthOf(character: string): number {
  if (character === emojiMark) return 1;
  if (without.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Without colour where it is cut. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const mark = width < 1 ? '' : '…';
  return `${startOf(text, width - mark.length)}${mark}`;
}

/** Broken at spaces, and within words that are wider. */
export function breakToWidth(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (displayWidth(rest) > width) {
    const start = startOf(rest, width) || ([...rest][0] ?? '');
    const isWhole = rest[start.length] === ' ';
    const space = isWhole ? start.length : start.lastIndexOf(' ');
    const end = space > 0 ? space : start.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' && lines.length > 0 ? lines : [...lines, rest];
}

/** A line of columns; what is wider than its column moves the others. */
export function columnsLine(cells: readonly string[], widths: readonly number[]): string {
  const fill = (cell: string, at: number) => ' '.repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(cell)));
  return cells
    .map((cell, at) => `${cell}${fill(cell, at)}`)
    .join('  ')
    .trimEnd();
}

function startOf(text: string, width: number): string {
  let kept = '';
  let taken = 0;
  for (const character of text) {
    taken += widthOf(character);
    if (taken > width) break;
    kept += character;
  }
  return kept;
}

export const widestProse = 100;

export function proseWidth({ isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): number {
  return isTerminal ? Math.min(columns, widestProse) : widestProse;
}

export function joinParts(parts: readonly (string | false | null | undefined)[], separator = ''): string {
  return parts.filter(Boolean).join(separator);
}

/** Paragraphs are separated by an empty line; lists too wide break at commas. */
export function wrapText(text: string, { indent, width }: { readonly indent: number; readonly width: number }): string {
  const margin = ' '.repeat(indent);
  return text
    .split('\n\n')
    .map((paragraph) =>
      wrapWords(spaceLists(paragraph, width - indent), width - indent)
        .map((line) => `${margin}${line}`)
        .join('\n'),
    )
    .join('\n\n');
}

function spaceLists(paragraph: string, space: number): string {
  return paragraph.replace(/\S+/g, (word) => (displayWidth(word) <= space ? word : word.replace(/,(?=\S)/g, ', ')));
}

/** A wider word has its own line. */
export function wrapWords(paragraph: string, space: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > space) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

const commandAtEnd = /: (?=(?:curl|hcd) \S)/;

/** Each line keeps its indent, and a command at its end gets a line of its own. */
export function wrapNote(note: string, width: number): string {
  return note
    .split('\n')
    .flatMap((line) => (displayWidth(line) <= width ? [line] : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): readonly string[] {
  const margin = /^ */.exec(line)?.[0] ?? '';
  const [prose = '', command] = line.trim().split(commandAtEnd);
  if (/^(?:curl|hcd) /.test(prose)) return [line];
  const lines = wrapWords(command === undefined ? prose : `${prose}:`, width - margin.length);
  return [...lines, ...(command === undefined ? [] : [`  ${command}`])].map((text) => `${margin}${text}`);
}
