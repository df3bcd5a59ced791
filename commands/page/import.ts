/** `hcd page import FILE`: many pages at once. */
import { fileValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';

export const command = defineCommand({
  path: 'page import',
  summary: 'Import many pages from a file',
  description:
    'Reads one page a line (NDJSON): {"resource": 42, "document": {"schemaVersion": 1, "sections": [...]}, "publish": true}. The resource is an id, or {"context": "web", "uri": "about.html"}. The document becomes the draft, and is published when the line says so.\n\nEach line stands for itself. One that is refused (no such resource, an unknown section type, a required value missing where it is to be published) leaves its page as it was; the others are taken in, and the exit code is 1 with every refused line by its number. After a hundred refused lines it stops. Lines are written in transactions of up to a hundred; whatever ends the import in between, those that were written stay.\n\nThe same file may be imported again: pages that are like that already stay untouched and get no new number. Sections without an id keep the one that they have on the page, also when others were added, removed or changed.',
  arguments: {
    file: required(fileValue, { placeholder: 'FILE', description: 'The file, or - for standard input' }),
  },
  options: { dryRun: toggle('Check every line and change nothing') },
  examples: [
    { line: 'page import pages.ndjson --dry-run', does: 'Find what is wrong with a file before it is imported' },
    { line: 'page import - --json', does: 'Import what another program writes' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-import.js')).runImport(options, deps),
});
