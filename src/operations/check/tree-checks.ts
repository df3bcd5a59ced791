/** Checks of the trees of resources and categories, and of the addresses that follow from the tree. */
import { Op } from 'sequelize';
import { LiveState } from '../../content/live/live-state.js';
import { categoryClosure } from '../../content/models/access.js';
import { categories, contentTypes } from '../../content/models/elements.js';
import { siteContent } from '../../content/models/resources.js';
import { rulesOfContext } from '../../content/resources/resource-write.js';
import { loadTransliteration } from '../../content/rules/alias.js';
import { readUriSettings, type UriResource, type UriSettings, uriOf } from '../../content/rules/uri.js';
import { type Reader, repeatable } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { batchesOf } from '../../values/batches.js';
import { findCycles } from '../../values/find-cycles.js';
import { batchSize, type CheckWork, type Found, repairs, rowsById, type StoreCheck, selectSlowly } from './check.js';

export const treeChecks: readonly StoreCheck[] = [
  {
    name: 'parents',
    severity: 'warning',
    about: 'Resources whose parent does not exist',
    fix: 'Move them to an existing parent or the root: hcd resource update ID --parent 0',
    isOfOwnStore: true,
    find: findLostChildren,
  },
  {
    name: 'tree',
    severity: 'error',
    about: 'Chains of parents that form a loop',
    fix: 'Move one row of each loop to the root: UPDATE the column parent to 0',
    find: findLoops,
  },
  {
    name: 'closure',
    severity: 'error',
    about: 'Rows of the table of ancestors that do not follow from the tree of categories',
    fix: repairs,
    isOfOwnStore: true,
    find: findWrongClosure,
  },
  {
    name: 'duplicate-uris',
    severity: 'warning',
    about: 'Resources that have the URI of another one',
    fix: 'Give all but one of them another alias: hcd resource update ID --alias NAME',
    isOfOwnStore: true,
    find: findDuplicateUris,
  },
  {
    name: 'uris',
    severity: 'warning',
    about: 'URIs that do not follow from alias, parents, content type and settings',
    fix: 'A new alias gives it the address of the rules. To keep the address: hcd resource update ID --uri-override 1',
    isOfOwnStore: true,
    find: findWrongUris,
  },
];

async function* findLostChildren(work: CheckWork): AsyncGenerator<Found> {
  const { content, prefix } = work.store;
  const table = `${prefix}${siteContent.table}`;
  const sql = `SELECT c.\`id\`, c.\`parent\` FROM \`${table}\` AS c WHERE c.\`parent\` <> 0 AND c.\`id\` > ?
    AND NOT EXISTS (SELECT 1 FROM \`${table}\` AS p WHERE p.\`id\` = c.\`parent\`) ORDER BY c.\`id\` LIMIT ${batchSize}`;
  for await (const [id, parent] of rowsById(work, content, sql)) {
    yield { table, key: Number(id), detail: `the parent ${parent} does not exist` };
  }
}

const mostLooped = 20_000;

/** Walks down from the roots inside the database: what it does not reach is in a loop or below one. */
async function* findLoops(work: CheckWork): AsyncGenerator<Found> {
  const { content, prefix, kind } = work.store;
  const names = kind === 'attached' ? [siteContent.table] : [siteContent.table, categories.table];
  for (const table of names.map((name) => prefix + name)) {
    const rows = await selectSlowly(
      work,
      content,
      `WITH RECURSIVE reached (\`id\`) AS (
        SELECT r.\`id\` FROM \`${table}\` AS r WHERE COALESCE(r.\`parent\`, 0) = 0
          OR NOT EXISTS (SELECT 1 FROM \`${table}\` AS p WHERE p.\`id\` = r.\`parent\`)
        UNION ALL SELECT c.\`id\` FROM \`${table}\` AS c JOIN reached ON c.\`parent\` = reached.\`id\`)
      SELECT t.\`id\`, t.\`parent\` FROM \`${table}\` AS t LEFT JOIN reached ON reached.\`id\` = t.\`id\`
      WHERE reached.\`id\` IS NULL ORDER BY t.\`id\` LIMIT ${mostLooped}`,
    );
    for (const ids of findCycles(new Map(rows.map(([id, parent]) => [Number(id), Number(parent)])))) {
      yield { table, key: ids[0] ?? null, detail: `forms a loop: ${[...ids, ids[0]].join(' > ')}` };
    }
  }
}

/** Each category needs itself, its ancestors and the root 0. Depths are not compared, because nothing reads them. */
async function* findWrongClosure({ store, isRepairing }: CheckWork): AsyncGenerator<Found> {
  const { content, prefix } = store;
  const table = `${prefix}${categoryClosure.table}`;
  const compare = async (reader: Reader) => {
    const all = await categories.on(reader, prefix).lookUpAll({}, { attributes: ['id', 'parent'], lock: isRepairing });
    const stored = await categoryClosure.on(reader, prefix).lookUpAll({});
    const right = closureOf(new Map(all.map(({ id, parent }) => [id, parent])));
    const names = new Set(stored.map(({ ancestor, descendant }) => `${ancestor}/${descendant}`));
    return {
      extra: [...names].filter((name) => !right.has(name)),
      missing: [...right.keys()].filter((name) => !names.has(name)),
      right,
    };
  };
  const { extra, missing } = isRepairing
    ? await content.write(async (tx) => {
        const found = await compare(tx);
        for (const some of batchesOf(found.extra.map(pairOf), batchSize)) {
          const where = some.map(() => '(`ancestor` = ? AND `descendant` = ?)').join(' OR ');
          await tx.run({ sql: `DELETE FROM \`${table}\` WHERE ${where}`, params: some.flat() });
        }
        for (const some of batchesOf(found.missing, batchSize)) {
          const sql = `INSERT INTO \`${table}\` (\`ancestor\`, \`descendant\`, \`depth\`) VALUES ${some.map(() => '(?, ?, ?)').join(', ')}`;
          await tx.run({ sql, params: some.flatMap((name) => [...pairOf(name), found.right.get(name) ?? 0]) });
        }
        return found;
      }, repeatable)
    : await compare(content.primary);
  const isRepaired = isRepairing;
  for (const key of extra) yield { table, key, detail: 'names a category that is no ancestor', isRepaired };
  for (const key of missing) yield { table, key, detail: 'is missing', isRepaired };
}

function pairOf(name: string): number[] {
  return name.split('/').map(Number);
}

/** Depths by `ancestor/descendant`. A loop ends where it began. */
function closureOf(parents: ReadonlyMap<number, number>): Map<string, number> {
  const depths = new Map<string, number>();
  for (const id of parents.keys()) {
    let depth = 0;
    for (let at = id; parents.has(at) && !depths.has(`${at}/${id}`); at = parents.get(at) ?? 0) {
      depths.set(`${at}/${id}`, depth++);
    }
    depths.set(`0/${id}`, depth);
  }
  return depths;
}

async function* findDuplicateUris(work: CheckWork): AsyncGenerator<Found> {
  const { content, prefix } = work.store;
  const { exactText } = dialectOf(content.dialect);
  const table = `${prefix}${siteContent.table}`;
  const place = (row: string) => [exactText(`${row}.\`context_key\``), exactText(`${row}.\`uri\``)].join(', ');
  const rows = await selectSlowly(
    work,
    content,
    `SELECT MIN(c.\`id\`), COUNT(*), MIN(c.\`context_key\`), MIN(c.\`uri\`) FROM \`${table}\` AS c
      WHERE c.\`deleted\` = 0 AND c.\`uri\` IS NOT NULL AND c.\`uri\` <> '' GROUP BY ${place('c')} HAVING COUNT(*) > 1
      ORDER BY 1 LIMIT ${mostLooped}`,
  );
  for (const [id, count, context, uri] of rows) {
    yield { table, key: Number(id), detail: `${count} resources of ${context} have the URI ${JSON.stringify(uri)}` };
  }
}

const read = [
  ...(['id', 'pagetitle', 'alias', 'alias_visible', 'parent', 'context_key', 'content_type'] as const),
  ...(['isfolder', 'uri', 'uri_override'] as const),
] as const;

const transliterated = 'friendly_alias_translit';
const mostKept = 20_000;

async function* findWrongUris({ store, env, clock, onStep }: CheckWork): AsyncGenerator<Found> {
  const { content, own, prefix } = store;
  const state = new LiveState({ content, own, prefix, env, clock, log: () => undefined });
  await state.refresh();
  const live = state.current();
  await loadTransliteration();
  const types = await contentTypes
    .on(content.primary, prefix)
    .lookUpAll({}, { attributes: ['id', 'mime_type', 'file_extensions'] });
  const resources = new Map<number, UriResource>();
  const tree = { resources, contentTypes: new Map(types.map((row) => [row.id, row])) };
  const settingsOf = (context: string) => rulesOfContext(live, context).uri;
  const keepsLetters = new Map<string, UriSettings>();
  // Aliases that are older than the setting keep their letters.
  const settingsBefore = (context: string): UriSettings => {
    const { settings } = rulesOfContext(live, context);
    const before = keepsLetters.get(context) ?? readUriSettings(new Map(settings).set(transliterated, 'none')).settings;
    keepsLetters.set(context, before);
    return before;
  };
  const finders = siteContent.on(content.primary, prefix);
  for (let after = 0; ; ) {
    const where = { id: { [Op.gt]: after }, deleted: false };
    const part = await finders.findAll({ attributes: read, where, order: ['id'], limit: batchSize });
    if (resources.size > mostKept) resources.clear();
    for (const row of part) resources.set(row.id, row);
    for (let missing = missingParents(part, resources); missing.length > 0; ) {
      const parents = await finders.lookUpAll({ id: missing }, { attributes: read });
      for (const row of parents) resources.set(row.id, row);
      missing = missingParents(parents, resources);
    }
    onStep();
    for (const row of part) {
      const [right, before] = [settingsOf, settingsBefore].map((one) => uriOf({ ...tree, settingsOf: one }, row) ?? '');
      if ([right, before].includes(row.uri ?? '')) continue;
      const detail = `is ${JSON.stringify(row.uri ?? '')}, not ${JSON.stringify(right)}`;
      yield { table: `${prefix}${siteContent.table}`, key: row.id, detail };
    }
    if (part.length < batchSize) return;
    after = part.at(-1)?.id ?? after;
  }
}

function missingParents(rows: readonly UriResource[], known: ReadonlyMap<number, UriResource>): number[] {
  return [...new Set(rows.map(({ parent }) => parent))].filter((parent) => parent !== 0 && !known.has(parent));
}
