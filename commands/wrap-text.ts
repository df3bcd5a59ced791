/** Breaks prose into lines of a fixed width, so that help and golden files do not depend on the terminal. */

const width = 100;

/** Paragraphs (separated by an empty line) wrapped to the width, every line indented. */
export function wrapText(text: string, { indent }: { readonly indent: number }): string {
  const margin = ' '.repeat(indent);
  return text
    .split('\n\n')
    .map((paragraph) =>
      wrapParagraph(paragraph, width - indent)
        .map((line) => `${margin}${line}`)
        .join('\n'),
    )
    .join('\n\n');
}

function wrapParagraph(paragraph: string, space: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && line.length + 1 + word.length > space) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
