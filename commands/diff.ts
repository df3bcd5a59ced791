/** `hcd diff`: what an import of a file would change. */
import { fileValue } from '../src/config/value-type.js';
import { escapeControls } from '../src/log/escape.js';
import { compareSite, type SiteDifference } from '../src/operations/transfer/transfer-site.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import { defineCommand } from './command.js';
import { type Paint, paintFor } from './paint.js';
import { required } from './parameters.js';
import { cutToWidth } from './terminal-text.js';
import { withSource } from './transfer-source.js';

/** Characters of a value in a pipe. */
const mostShown = 200;

export const command = defineCommand({
  description:
    'Compares the site with a file that hcd export wrote, record by record and field by field, and changes nothing. Lines with + are records that an import would create, lines with ~ those that it would update. Lines with - are records that only the site has, of the objects and contexts in the file; an import does not remove them. Long values are cut; --json has them in full. The exit code is 0 when nothing differs and 1 otherwise.',
  arguments: { file: required(fileValue, 'NDJSON file, or - for standard input') },
  examples: {
    'diff staging.ndjson': 'Show what importing the content of staging would change',
    'diff staging.ndjson --json': 'The same for a script',
  },
  async run({ file }, deps) {
    const site = await deps.openSite({ limits: maintenanceLimits });
    const registry = await site.registry();
    const differences = await withSource(deps, { file, label: 'Comparing bytes' }, (source) =>
      compareSite({ store: site.store, registry }, { ...source, by: 'cli' }),
    );
    const { stdout } = deps.io;
    const width = stdout.isTerminal ? stdout.columns : mostShown;
    const lines = differences.flatMap((one) => linesOf(one, { paint: paintFor(stdout), width }));
    return {
      kind: 'text',
      text: lines.map((line) => `${line}\n`).join(''),
      data: differences.map(({ object, key, action, fields }) => ({ object, key, action, fields })),
      exitCode: differences.length === 0 ? 0 : 1,
      notes: [differences.length === 0 && 'The site has everything in the file, and nothing else of its objects.'],
    };
  },
});

function linesOf(
  { object, key, action, fields }: SiteDifference,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): readonly string[] {
  const name = escapeControls(`${object} ${key}`);
  const fitted = (text: string): string => cutToWidth(escapeControls(text), width);
  if (action === 'create') return [paint.green(fitted(`+ ${name}`))];
  if (action === 'remove') return [paint.red(fitted(`- ${name}`))];
  const values = Object.entries(fields).flatMap(([field, { from, to }]) => [
    paint.red(fitted(`    - ${field}: ${JSON.stringify(from)}`)),
    paint.green(fitted(`    + ${field}: ${JSON.stringify(to)}`)),
  ]);
  return [paint.yellow(fitted(`~ ${name}`)), ...values];
}
