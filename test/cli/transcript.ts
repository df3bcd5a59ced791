/** What commands print one after another, compared as a whole with a golden file. */
import type { CliOptions } from '../support/cli.js';
import type { CliDatabase } from '../support/cli-database.js';
import { expectGolden } from '../support/golden.js';

export type Line = string | readonly string[];

/** Runs the lines and compares exit codes and both outputs with `golden/NAME.txt`; `steady` replaces what differs in each run. */
export async function expectTranscript(
  { run }: Pick<CliDatabase, 'run'>,
  name: string,
  lines: readonly Line[],
  { steady = (text: string) => text, ...options }: CliOptions & { readonly steady?: (text: string) => string } = {},
): Promise<void> {
  let text = '';
  for (const line of lines) {
    const { code, stdout, stderr } = await run(line, options);
    const words =
      typeof line === 'string' ? [line] : line.map((word) => (/^[\w*,.-]+$/.test(word) ? word : JSON.stringify(word)));
    const answer = stdout.startsWith('{"') ? `${JSON.stringify(JSON.parse(stdout), null, 1)}\n` : stdout;
    const problems = stderr === '' ? '' : `--- stderr\n${stderr}`;
    text += `$ hcd ${words.join(' ')}\n${answer}${problems}${code === 0 ? '' : `--- exit code ${code}\n`}\n`;
  }
  expectGolden(`cli/golden/${name}.txt`, steady(text));
}

/** A text without what is another one in each run; columns are as wide as such a value is. */
export function steady(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
    .replace(/\b(?:now|in \d+ \w+|\d+ (?:s|min|h|d) ago)\b|\b20\d\d-\d\d-\d\d\b/g, '<time>')
    .replace(/\b[0-9a-f]{32}\b/g, '<id>')
    .replace(/\b(?:pt_)?[0-9a-f]{16}\b|\bpt_[0-9a-f]{8}\b/g, '<lookup>')
    .replace(/ {2,}/g, '  ');
}
