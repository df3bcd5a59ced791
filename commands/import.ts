/** `hcd import`: writes the records of an export, or of a folder, into the site. */
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
    'Creates and updates the records of a file that hcd export wrote. Records are found by their names: resources by context and URI, elements by name. Values that a record leaves out stay as they are. Nothing is removed, and importing the file again changes nothing. Values are checked as the APIs check them; webhook events are not raised. Template variables that the content system evaluates are refused without --trust, because the author of a file could run code with them.\n\nRecords are written in transactions of up to 200. A problem is reported with its line and column: its transaction and the lines after it are not imported, earlier ones stay. With --atomic one transaction holds everything, and other writers wait until it ends.\n\nA path that ends in / or is a folder is read in the layout of Gitify: .gitify names the folders, each file holds a record. Such an import is always all or nothing. Ids of the files are kept unless another record has them; members that a file leaves out get their defaults; files of classes that a site does not keep are counted.',
  arguments: { file: required(fileValue, 'NDJSON file, folder with .gitify, or - for standard input') },
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
    'import site/ --dry-run': 'Check a folder of Gitify',
    'import site.ndjson --atomic --on-conflict skip': 'Add what is missing, all or nothing',
  },
  async run({ file, dryRun, atomic, trust, onConflict = 'update' }, deps) {
    limitHeapGrowth(30);
    const site = await deps.openSite({ limits: maintenanceLimits });
    const registry = await site.registry();
    const doing = dryRun ? 'Checking' : 'Importing';
    const how = { isDry: dryRun, isAtomic: atomic, isTrusted: trust, onConflict, by: 'cli' };
    const { result: counts, found } = await withSource(deps, { file, doing }, (source) =>
      importSite({ store: site.store, registry }, { ...how, source }),
    );
    const { created, updated, unchanged, skipped } = counts;
    const would = dryRun ? 'would be ' : '';
    const parts = [
      `${countOf(created, 'record')} ${would}created`,
      `${updated} ${would}updated`,
      `${unchanged} unchanged`,
    ];
    const message = `${parts.join(', ')}, ${skipped} skipped.`;
    if (found === null) return { kind: 'done', message, data: { ...counts } };
    const { ignored, losses } = found;
    const others = Object.entries(ignored).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const data = { ...counts, removed: 0, ignored: Object.fromEntries(others), left_out: losses.list };
    const note =
      others.length > 0 && `Not kept by a site: ${others.map(([name, count]) => `${count} ${name}`).join(', ')}.`;
    return { kind: 'done', message, data, notes: [...losses.notes, note] };
  },
});
