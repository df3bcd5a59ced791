// Prints the size of the product: what CONTRIBUTING.md says of it under "Size" is checked against this.
// `--json` prints the figures alone.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['src', 'commands', 'migrations', 'studio/src'];

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(root, folder, String(path)))
    .filter((path) => /\.tsx?$/.test(path));
const linesOf = (path) => readFileSync(path, 'utf8').trimEnd().split('\n');
const countOf = (texts, pattern) => texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
const wordsOf = (path) =>
  readFileSync(path, 'utf8')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Rows of the first table below a heading of a document. */
function tableRows(document, heading) {
  const [, section = ''] = readFileSync(join(root, document), 'utf8').split(`\n## ${heading}\n`);
  const table = /(?:^\|.*\n)+/m.exec(section)?.[0] ?? '';
  return table.trim().split('\n').slice(2).length;
}

const files = folders.flatMap(filesBelow);
const lines = files.map(linesOf);
const texts = lines.map((file) => file.join('\n'));
const isComment = (line) => /^\s*(?:\/\/|\/\*|\*)/.test(line);
const documents = readdirSync(join(root, 'docs'), { recursive: true })
  .map((path) => join(root, 'docs', String(path)))
  .filter((path) => path.endsWith('.md') && statSync(path).isFile());
const isDecision = (path) => path.includes('/decisions/');

const figures = {
  'files of the product': files.length,
  'lines of the product': sum(lines.map((file) => file.length)),
  'lines of comments': sum(lines.map((file) => file.filter(isComment).length)),
  'files above 300 lines': lines.filter((file) => file.length > 300).length,
  '`instanceof Promise`': countOf(texts, /instanceof Promise\b/g),
  '`new WeakMap`': countOf(texts, /new WeakMap\b/g),
  'rows of what is kept in memory': tableRows('docs/architecture.md', 'What is kept in memory'),
  'words of `docs/`': sum(documents.filter((path) => !isDecision(path)).map(wordsOf)),
  'decision records': documents.filter((path) => /\/\d{4}-[^/]+$/.test(path)).length,
  'lines of `bench/`': sum(filesBelow('bench').map((path) => linesOf(path).length)),
  'lines of `test/`': sum(
    filesBelow('test')
      .filter((path) => !path.includes('/node_modules/'))
      .map((path) => linesOf(path).length),
  ),
};

const rows = Object.entries(figures).map(([what, figure]) => `${String(figure).padStart(8)}  ${what}`);
process.stdout.write(`${process.argv.includes('--json') ? JSON.stringify(figures) : rows.join('\n')}\n`);
