/** `hcd import`: writes the records of an export into the site. */
import { choiceValue, fileValue } from '../src/config/value-type.js';
import { importSite } from '../src/operations/transfer/transfer-site.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import { defineCommand } from './command.js';
import { limitHeapGrowth } from './heap.js';
import { optional, required, toggle } from './parameters.js';
import { countOf } from './terminal-text.js';
import { withSource } from './transfer-source.js';

export const command = defineCommand({
  description:
    'Creates and updates the records of a file that hcd export wrote. Records are found by their names: resources by context and URI, elements by name. Values that a record leaves out stay as they are. Nothing is removed, and importing the file again changes nothing. Values are checked as the APIs check them; webhook events are not raised. Template variables that the content system evaluates are refused without --trust, because the author of a file could run code with them.\n\nRecords are written in transactions of up to 200. A problem is reported with its line and column: its transaction and the lines after it are not imported, earlier ones stay. With --atomic one transaction holds everything, and other writers wait until it ends.',
  arguments: { file: required(fileValue, 'NDJSON file, or - for standard input') },
  options: {
    dryRun: toggle('Check the whole file and count the changes without making them'),
    atomic: toggle('Import everything or nothing'),
    trust: toggle('Import template variables that the content system evaluates, such as @CHUNK or @EVAL'),
    onConflict: optional(choiceValue(['skip', 'update', 'fail']), {
      placeholder: 'WHAT',
      description: 'What to do with a record that the site has with other values (default: update)',
    }),
  },
  examples: {
    'import site.ndjson --dry-run': 'Check a file and count what would change',
    'import site.ndjson --atomic --on-conflict skip': 'Add what is missing, all or nothing',
  },
  async run({ file, dryRun, atomic, trust, onConflict = 'update' }, deps) {
    limitHeapGrowth(30);
    const site = await deps.openSite({ limits: maintenanceLimits });
    const registry = await site.registry();
    const label = dryRun ? 'Checking bytes' : 'Importing bytes';
    const counts = await withSource(deps, { file, label }, (source) =>
      importSite(
        { store: site.store, registry },
        { ...source, isDry: dryRun, isAtomic: atomic, isTrusted: trust, onConflict, by: 'cli' },
      ),
    );
    const { created, updated, unchanged, skipped } = counts;
    const would = dryRun ? 'would be ' : '';
    const parts = [
      `${countOf(created, 'record')} ${would}created`,
      `${updated} ${would}updated`,
      `${unchanged} unchanged`,
    ];
    return { kind: 'done', message: `${parts.join(', ')}, ${skipped} skipped.`, data: { ...counts } };
  },
});
