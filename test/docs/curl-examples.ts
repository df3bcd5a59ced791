/** Reads the curl lines of the documents, each with the part of the answer that the document shows below it. */
import { readDocument } from './markdown.js';

export interface CurlExample {
  /** The line as the document has it. */
  readonly line: string;
  /** Path and query. */
  readonly address: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body that is sent; null for none. */
  readonly body: string | null;
  /** Text that the answer must contain; null where the document shows none. */
  readonly shown: string | null;
}

const origin = 'http://127.0.0.1:8080';

/** Every curl line in a block of shell lines; a block of JSON right below it has one line for each of them. */
export function readCurlExamples(document: string): CurlExample[] {
  const blocks = readDocument(document).matchAll(/```sh\n([\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/g);
  return [...blocks].flatMap(([, shell = '', json]) => {
    const lines = shell.split('\n').filter((line) => line.startsWith('curl '));
    const shown = json?.trimEnd().split('\n');
    if (shown !== undefined && shown.length !== lines.length) {
      throw new Error(`${document}: ${lines.length} curl lines stand above ${shown.length} answers`);
    }
    return lines.map((line, at) => parseCurl(line, shown?.[at] ?? null));
  });
}

function parseCurl(line: string, shown: string | null): CurlExample {
  const address = new RegExp(`'${origin}([^']*)'`).exec(line)?.[1];
  if (address === undefined) throw new Error(`no address of ${origin} in: ${line}`);
  // In double quotes stands what the shell fills in.
  const headers = [...line.matchAll(/-H (['"])([^:'"]+): (.*?)\1(?= )/g)].map((match) => [
    match[2] ?? '',
    match[3] ?? '',
  ]);
  const method = /-X ([A-Z]+)/.exec(line)?.[1] ?? 'GET';
  const body = /-d '([^']*)'/.exec(line)?.[1] ?? null;
  return { line, address, method, headers: Object.fromEntries(headers), body, shown };
}
