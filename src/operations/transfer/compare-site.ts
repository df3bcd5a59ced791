/** Compares a site with a file or folder: what an import would change, and what only the site has. */
import { batchesOf } from '../../values/batches.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';
import type { Difference } from './import-batches.js';
import { importRecords } from './import-records.js';
import { type Kind, neverExported } from './kind.js';
import { transferKinds } from './kinds.js';
import { goneRecords } from './remove-records.js';
import { Spool } from './spool.js';
import { readersOf } from './transfer-record.js';
import { checkContent, recordsOf, Seen, type Site, type Source, scopeOf } from './transfer-site.js';

/** What an import would change, and records that only the store has. Throws `refused` with the problems by line. */
export async function compareSite<T>(
  { store, registry, files }: Site,
  { source, by, warnings }: Source,
  show: (differences: AsyncIterable<Difference>, count: number) => Promise<T>,
): Promise<T> {
  checkContent(store);
  const differences = new Spool<Difference>();
  try {
    await findDifferences();
    return await show(differences.take(), differences.size);
  } finally {
    await differences.close();
  }

  async function findDifferences(): Promise<void> {
    const kinds = transferKinds(registry);
    const seen = new Seen();
    const contexts = new Set<string>();
    await importRecords({
      ...{ store, kinds, ...recordsOf(store, kinds, source), by, isDry: true, warnings, files },
      async onCompared(compared) {
        seen.add(compared);
        for (const { entry } of compared) contexts.add(contextOf(entry.record));
        await differences.add(...compared.flatMap(({ difference }) => (difference === null ? [] : [difference])));
      },
    });
    const scope = scopeOf(store, readersOf(store, null));
    if ('config' in source) {
      for await (const gone of goneRecords(scope, { kinds, config: source.config, seen: seen.keys })) {
        await differences.add(...gone.map(({ kind, record }) => removal(kind, record)));
      }
      return;
    }
    for (const [kind, keys] of seen.keys) {
      if (neverExported.has(kind.object)) continue;
      for await (const some of kind.list(scope, { contexts: [...contexts] })) {
        const missing = some.filter((key) => !keys.has(key));
        for (const gone of batchesOf(missing)) {
          const records = [...(await kind.show(scope, gone, { isWhole: false })).values()];
          await differences.add(...records.map((record) => removal(kind, record)));
        }
      }
    }
  }
}

function removal(kind: Kind, record: JsonObject): Difference {
  const fields = Object.entries(record).map(([name, from]) => [name, { from, to: null }]);
  return { object: kind.object, key: kind.nameOf(record), action: 'remove', fields: Object.fromEntries(fields) };
}

function contextOf({ key, context, context_key, resource }: JsonObject): string {
  const { context: place } = isJsonObject(resource) ? resource : {};
  return String([context_key, context, place, key].find((one) => typeof one === 'string' && one !== '') ?? '');
}
