/** `hcd diff`: what an import of a file or folder would change. */
import { fileValue } from '../src/config/value-type.js';
import { compareSite } from '../src/operations/transfer/compare-site.js';
import type { Difference } from '../src/operations/transfer/import-batches.js';
import { Warnings } from '../src/operations/transfer/warnings.js';
import { countOf, escapeControls } from '../src/values/text.js';
import { defineCommand } from './command.js';
import { type Paint, paintFor } from './paint.js';
import { required } from './parameters.js';
import type { Output } from './streams.js';
import { cutToWidth } from './terminal-text.js';
import { openTransfer, withSource } from './transfer-source.js';

const mostShown = 200;
const mostWaiting = 100_000;

export const command = defineCommand({
  description:
    'Compares the site with a file or folder that hcd export or Gitify wrote, record by record and field by field, and changes nothing. Lines with + are records that an import would create, lines with ~ those that it would update. Lines with - are records that only the site has, of the objects and contexts in it; an import does not remove them. Long values are cut; --json has them in full. The exit code is 0 when nothing differs and 1 otherwise.',
  arguments: { file: required(fileValue, 'NDJSON file, folder with .gitify, or - for standard input') },
  examples: {
    'diff staging.ndjson': 'Show what importing the content of staging would change',
    'diff staging.ndjson --json': 'The same for a script',
  },
  async run({ file }, deps) {
    const { io, flags } = deps;
    const site = await openTransfer(deps);
    const warnings = new Warnings();
    const { result: count, found: folder } = await withSource(deps, { file, doing: 'Comparing' }, (source, finish) =>
      compareSite(site, { source, by: deps.writer, warnings }, async (differences, found) => {
        finish();
        const texts = flags.json ? jsonOf(differences, io.stdout) : textsOf(differences, io.stdout);
        await writeAll(texts, io.stdout);
        return found;
      }),
    );
    return {
      kind: 'nothing',
      hasWritten: true,
      exitCode: count === 0 ? 0 : 1,
      notes: [
        ...warnings.notes,
        count === 0 &&
          !flags.json &&
          `The site has everything in the ${folder ? 'folder' : 'file'}, and nothing else of its objects.`,
        count > 0 && io.stdout.isTerminal && !flags.json && `${countOf(count, 'difference')}.`,
      ],
    };
  },
});

/** Waits for the reader of the output, so that memory stays the same. */
async function writeAll(texts: AsyncIterable<string>, stdout: Output): Promise<void> {
  let waiting = 0;
  for await (const text of texts) {
    stdout.write(text);
    waiting += text.length;
    if (waiting < mostWaiting) continue;
    await stdout.flush();
    waiting = 0;
  }
}

async function* textsOf(differences: AsyncIterable<Difference>, stdout: Output): AsyncGenerator<string> {
  const width = stdout.isTerminal ? stdout.columns : mostShown;
  for await (const one of differences) {
    yield linesOf(one, { paint: paintFor(stdout), width })
      .map((line) => `${line}\n`)
      .join('');
  }
}

async function* jsonOf(differences: AsyncIterable<Difference>, { isTerminal }: Output): AsyncGenerator<string> {
  const [outer, inner] = isTerminal ? ['\n  ', '\n    '] : ['', ''];
  yield isTerminal ? '{\n  "data": [' : '{"data":[';
  let isFirst = true;
  for await (const { object, key, action, fields } of differences) {
    const text = JSON.stringify({ object, key, action, fields }, null, isTerminal ? 2 : 0);
    yield `${isFirst ? '' : ','}${inner}${text.replaceAll('\n', inner)}`;
    isFirst = false;
  }
  yield `${isFirst ? '' : outer}]${isTerminal ? '\n' : ''}}\n`;
}

function linesOf(
  { object, key, action, fields }: Difference,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): readonly string[] {
  const name = escapeControls(`${object} ${key}`);
  const fitted = (text: string): string => cutToWidth(escapeControls(text), width);
  if (action === 'create') return [paint.green(fitted(`+ ${name}`))];
  if (action === 'remove') return [paint.red(fitted(`- ${name}`))];
  const values = Object.entries(fields).flatMap(([field, { from, to }]) => {
    const [before, after] = whereTheyDiffer(JSON.stringify(from), JSON.stringify(to), width - field.length - 8);
    return [paint.red(fitted(`    - ${field}: ${before}`)), paint.green(fitted(`    + ${field}: ${after}`))];
  });
  return [paint.yellow(fitted(`~ ${name}`)), ...values];
}

/** Long texts begin shortly before their first difference, which a cut at the end would hide. */
function whereTheyDiffer(from: string, to: string, room: number): readonly [string, string] {
  let same = 0;
  while (same < from.length && from[same] === to[same]) same += 1;
  if (same <= room / 2) return [from, to];
  let start = same - Math.floor(room / 3);
  if (/[\udc00-\udfff]/.test(from[start] ?? '')) start -= 1;
  return [`…${from.slice(start)}`, `…${to.slice(start)}`];
}
