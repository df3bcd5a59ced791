/** The text that `hcd demo` prints, safe to paste into a shell: the reference, lines to try, and the credentials last. */
import { type CurlLine, curlText, firstLines } from './curl-lines.js';

export interface DemoText {
  readonly lines: readonly CurlLine[];
  /** null while the gateway is off. */
  readonly reference: string | null;
  /** Lines of the credentials that were made now; empty for none. */
  readonly credentials: string;
  /** Every line instead of the first few. */
  readonly show: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

const widest = 72;

export function demoText({ lines, reference, credentials, show, width }: DemoText): string {
  const rule = `# ${'-'.repeat(Math.max(1, Math.min(width, widest) - 2))}\n`;
  return [
    rule,
    '# Start the server: hcd serve\n',
    reference === null ? '' : `# API reference: ${reference}\n`,
    '\n',
    curlText(show ? lines : firstLines(lines)),
    show ? '' : '\n# Show all lines to try: hcd demo --show\n',
    credentials === '' ? '' : `\n${credentials}`,
    rule,
  ].join('');
}
