/** Finds the documents that comments and documents cite: `docs/keys.md`, `docs/reference/storage.md#aliases`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, repository } from '../architecture/source-file.js';
import { readHeadings } from './markdown.js';

const folders = ['src', 'commands', 'migrations', 'test', 'bench', 'docs'];

/** A text in which citations may stand: the comments of a program file, or a whole document. */
export interface CitingText {
  readonly path: string;
  readonly text: string;
}

/** Every file with comments or prose, as paths from the repository root. */
export function readCitingTexts(): CitingText[] {
  return folders
    .flatMap((folder) => listFiles(folder, (name) => /\.(ts|mjs|js|md)$/.test(name)))
    .map((path) => {
      const text = readFileSync(join(repository, path), 'utf8');
      return { path, text: path.endsWith('.md') ? text : readComments(text) };
    });
}

/** The comments of a program, one paragraph each, so that a citation may go over the end of a line. */
export function readComments(source: string): string {
  const comments = source.matchAll(/^[ \t]*\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=[;,{})\]] )\/\/ .*$/gm);
  return [...comments]
    .map(([comment]) => comment.replace(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)/gm, ' ').replace(/\s+/g, ' '))
    .join('\n');
}

/** Documents whose names are not paths of the repository, and numbered sections of any document. */
const foreign = [
  /(?<![\w./-])(?!(?:README|CONTRIBUTING|CHANGELOG)\.md)[\w-]+\.md\b/g,
  /\b(?:contract|requirement|spec|quality(?: rules)?|\w+-facts|\w+-anchors)(?:\.md|,| section| facts)* [A-Z]?\d+(?:\.\d+)*/gi,
  /\b[\w-]+\.md,? (?:section )?\d+(?:\.\d+)*/g,
  /\bthe (?:contract|requirement)s?\b/gi,
];

/** What a text cites that a reader of the repository cannot open. */
export function foreignCitations({ path, text }: CitingText): string[] {
  // Documents name each other in links, relative to themselves; those have a test of their own.
  const patterns = path.endsWith('.md') ? foreign.slice(1) : foreign;
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([citation]) => citation));
}

/** The citations of a text that lead to no file or to no heading. */
export function brokenCitations({ text }: CitingText): string[] {
  const cited = text.matchAll(
    /(?<![\w./-])((?:docs|bench|examples)\/[\w./-]+\.md|(?:README|CONTRIBUTING)\.md)(?:#([\w-]+))?/g,
  );
  return [...cited]
    .filter(([, path = '', anchor]) => !existsSync(join(repository, path)) || !hasAnchor(path, anchor))
    .map(([citation]) => citation);
}

function hasAnchor(path: string, anchor: string | undefined): boolean {
  return anchor === undefined || readHeadings(path).includes(anchor);
}
