/** Reads what the documents promise: commands in them, links between them, folders that they list. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listFiles, repository } from '../architecture/source-file.js';

/** Every document of the repository, as paths from its root. */
export function listDocuments(): string[] {
  return [...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'], ...listFiles('docs', (name) => name.endsWith('.md'))];
}

/** Names of the npm scripts that a document tells the reader to run. */
export function readNpmScripts(document: string): string[] {
  const text = readDocument(document);
  const runs = [...text.matchAll(/\bnpm run (?:--silent )?([a-z:-]+)/g)].map((match) => match[1] ?? '');
  return unique(/\bnpm test\b/.test(text) ? [...runs, 'test'] : runs);
}

/** Commands (noun and verb, without arguments) that a document shows in code, for example `key create`. */
export function readCommands(document: string): string[] {
  const code = [...readDocument(document).matchAll(/```[a-z]*\n([\s\S]*?)```|`([^`\n]+)`/g)];
  const lines = code
    .flatMap((match) => (match[1] ?? match[2] ?? '').split('\n'))
    .map((line) => line.replace(/(^|\s)#.*/, ''));
  return unique(
    lines.flatMap((line) =>
      [...line.matchAll(/(?:^|[\s(])(?:node bin\/|npx )?hcd((?: [a-z][a-z-]*)+)(?=$|[\s)])/g)].map((match) =>
        (match[1] ?? '').trim(),
      ),
    ),
  );
}

/** Files that a document links to, as paths from the repository root. */
export function readLinks(document: string): string[] {
  const targets = [...readDocument(document).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return unique(
    targets
      .filter((target) => !/^([a-z]+:|#)/.test(target))
      .map((target) => posix.join(posix.dirname(document), target.replace(/#.*/, ''))),
  );
}

/** Links of a document to headings: the other document's path from the repository root, and the heading's anchor. */
export function readAnchors(document: string): { readonly path: string; readonly anchor: string }[] {
  const links = readDocument(document).matchAll(/\]\(((?![a-z]+:)[^)\s#]*)#([^)\s]+)\)/g);
  return [...links].map(([, path = '', anchor = '']) => ({
    path: path === '' ? document : posix.join(posix.dirname(document), path),
    anchor,
  }));
}

/** Anchors of a document's headings, as GitHub makes them. */
export function readHeadings(document: string): string[] {
  return [...readDocument(document).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Rows of the table whose head begins with the given name, each as its cells, without the head. */
export function readTable(document: string, head: string): string[][] {
  const lines = readDocument(document).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  if (start < 0) return [];
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end < 0 ? rows.length : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Texts in back-quotes. */
export function readCode(document: string): string[] {
  const text = readDocument(document).replace(/```[\s\S]*?```/g, '');
  return unique([...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? ''));
}

/** Paths in the first column of the code block below the heading. */
export function readTree(document: string, heading: string): string[] {
  const block =
    readDocument(document)
      .split(`## ${heading}\n`)[1]
      ?.match(/```\n([\s\S]*?)```/)?.[1] ?? '';
  return block
    .split('\n')
    .map((line) => line.split(/\s{2,}/)[0] ?? '')
    .filter((path) => path !== '');
}

/** Text of a document, by its path from the repository root. */
export function readDocument(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
