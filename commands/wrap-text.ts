/** Breaks prose into lines for a terminal: at spaces only, so that names and addresses stay whole. */
import { displayWidth } from './display-width.js';

/** The widest line that reads well, and the width where there is no terminal. */
export const widestProse = 100;

/** The width of prose on an output. */
export function proseWidth({
  isTerminal,
  columns,
}: {
  readonly isTerminal: boolean;
  readonly columns: number;
}): number {
  return isTerminal ? Math.min(columns, widestProse) : widestProse;
}

interface Wrapping {
  readonly indent: number;
  readonly width: number;
}

/** Paragraphs (separated by an empty line) wrapped to the width, every line indented; lists too wide break at commas. */
export function wrapText(text: string, { indent, width }: Wrapping): string {
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

/** Lines of at most this width; a word that is wider has one of its own. */
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

/** A line to copy at the end of a note: it stays in one piece. */
const commandAtEnd = /: (?=(?:curl|hcd) \S.*$)/;

/** A note of one or more lines wrapped; each line keeps its indent, and a command at its end gets a line of its own. */
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
