/** Checks of the content tables as they are: what they lack, engines, character sets, collations, indexes. */
import { readTimes } from '../../content/models/changes.js';
import { buildRegistry, coreObjects } from '../../content/objects/core-objects.js';
import { watchedTables } from '../../content/objects/object-registry.js';
import type { Column, Table } from '../../store/base/columns.js';
import { groupBy } from '../../values/batches.js';
import { repairedText } from '../../values/double-encoding.js';
import { countOf, wordList } from '../../values/text.js';
import { type Check, error, type Finding, ok, orOk, type StoreFacts, sample, warning, when } from './check.js';

export const tableChecks: readonly Check[] = [
  { name: 'tables', needs: 'content', run: checkTables },
  { name: 'columns', needs: 'content', run: checkColumns },
  { name: 'engines', needs: 'content', run: checkEngines },
  { name: 'other-writers', needs: 'content', run: checkOtherWriters },
  { name: 'own-tables', needs: 'content', run: checkOwnTables },
  { name: 'character-sets', needs: 'content', run: checkCharacterSets },
  { name: 'encoding', needs: 'content', run: checkEncoding },
  { name: 'collations', needs: 'content', run: checkCollations },
  { name: 'indexes', needs: 'content', run: checkIndexes },
];

async function checkTables({ store: { tables, prefix } }: StoreFacts): Promise<Finding> {
  const missing = tableNames.map((name) => `${prefix}${name}`).filter((name) => !tables.has(name));
  if (missing.length === 0) return ok(`${tableNames.length} of ${tableNames.length} tables are there`);
  return error(`missing: ${missing.join(', ')}`, 'Restore them from a backup, or let the setup of the CMS repair them');
}

/** Older releases of the CMS lack some columns; their fields are null. */
async function checkColumns({ store: { tables, prefix } }: StoreFacts): Promise<Finding> {
  const missing = coreObjects.flatMap(({ name, table, fields }) => {
    const columns = tables.get(`${prefix}${table}`)?.columns;
    if (columns === undefined) return [];
    return Object.entries(fields).flatMap(([field, { column }]) => (columns.has(column) ? [] : [`${name}.${field}`]));
  });
  if (missing.length === 0) return ok('every field has its column');
  return warning(`without a column, so always null: ${missing.join(', ')}`, 'Upgrading the CMS adds the columns');
}

async function checkEngines(facts: StoreFacts): Promise<Finding> {
  if (facts.store.content.dialect === 'sqlite') return ok('SQLite: every change is a transaction');
  const tables = readTables(facts);
  const without = tables.filter(lacksTransactions);
  const [first] = without;
  if (first === undefined) return ok(`${tables.length} tables with transactions`);
  const names = sample(without.map(({ name }) => name));
  return warning(
    `${without.length} of ${tables.length} tables are ${first.engine} and have no transactions (${names}): a change that fails or is interrupted can stay, in whole or in part, without its webhook event, and a retry with the same Idempotency-Key can make it twice`,
    `The owner may run: ALTER TABLE ${first.name} ENGINE=InnoDB; and so on`,
  );
}

async function checkOtherWriters({ store }: StoreFacts): Promise<Finding> {
  const watched = watchedTables(store, buildRegistry([]));
  const fast = 'changes by other programs show within a second';
  if (store.content.dialect === 'sqlite') return ok(fast);
  const times = await readTimes(store.content.primary, watched);
  const without = watched.filter((name) => !times.has(name));
  const [first] = without;
  if (first === undefined) return ok(fast);
  return warning(
    `no time of change for ${sample(without)}: changes by other programs in them show within 10 seconds`,
    store.tables.get(first)?.engine === null
      ? `A view has no time: only a table in place of ${first} has one`
      : `The owner may run: ALTER TABLE ${first} ENGINE=InnoDB; or let the user of hcd read the whole table`,
  );
}

function textColumns(facts: StoreFacts): { readonly table: string; readonly column: Column }[] {
  return readTables(facts).flatMap(({ name, columns }) =>
    [...columns.values()].filter(({ charset }) => charset !== null).map((column) => ({ table: name, column })),
  );
}

async function checkCharacterSets(facts: StoreFacts): Promise<Finding | Finding[]> {
  if (facts.store.content.dialect === 'sqlite') return ok('UTF-8');
  const bySet = groupBy(textColumns(facts), ({ column }) => column.charset ?? '');
  const narrow = [...bySet].filter(([charset]) => charset !== 'utf8mb4');
  if (narrow.length === 0) return ok('utf8mb4 everywhere');
  const doubled = await findDoubled(facts.store);
  return narrow.map(([charset, found]) => {
    const tables = [...new Set(found.map(({ table }) => table))];
    const isUtf8 = charset === 'utf8' || charset === 'utf8mb3';
    const refused = isUtf8 ? 'four-byte characters such as emoji' : `characters that ${charset} does not have`;
    return warning(
      `${charset} in ${countOf(tables.length, 'table')} (${sample(tables)}): ${refused} are refused with 422`,
      doubled.length > 0
        ? 'See encoding: converting the tables as they are would keep the double encoding'
        : `The owner may run: ALTER TABLE ${tables[0]} CONVERT TO CHARACTER SET utf8mb4; and so on`,
    );
  });
}

const sampledColumns = [
  ...['pagetitle', 'longtitle', 'introtext', 'content'].map((column) => ['site_content', column] as const),
  ['site_tmplvar_contentvalues', 'value'],
  ['site_htmlsnippets', 'snippet'],
] as const;

export async function findDoubled({ content, prefix, tables }: StoreFacts['store']): Promise<string[]> {
  const found: string[] = [];
  for (const [name, column] of sampledColumns) {
    if (tables.get(prefix + name)?.columns.has(column) !== true) continue;
    const sql = `SELECT \`id\`, SUBSTR(\`${column}\`, 1, 5000) FROM \`${prefix}${name}\` ORDER BY \`id\` DESC LIMIT 500`;
    const rows = await content.primary.select({ sql, params: [] });
    for (const [id, text] of rows) {
      if (repairedText(String(text ?? '')) !== null) found.push(`${column} of ${id} in ${prefix}${name}`);
    }
  }
  return found;
}

async function checkEncoding(facts: StoreFacts): Promise<Finding> {
  const doubled = await findDoubled(facts.store);
  if (doubled.length === 0) return ok('no double-encoded texts among the newest');
  const [effect, meanwhile] =
    facts.configuration.config.repair_encoding === 'on'
      ? ['HCD_REPAIR_ENCODING is on, so é is served, and only ASCII text can be written', '']
      : ['é is served as Ã©', '. Until then HCD_REPAIR_ENCODING=on serves the right texts'];
  return warning(
    `${countOf(doubled.length, 'text is', 'texts are')} double-encoded (${sample(doubled)}): UTF-8 was stored as if it were Latin-1; ${effect}`,
    `hcd db copy --repair-encoding copies the site with the right texts. Converting the tables as they are would keep the double encoding${meanwhile}`,
  );
}

/** Our own comparisons state their collation; the CMS's joins between tables do not. */
async function checkCollations(facts: StoreFacts): Promise<Finding> {
  if (facts.store.content.dialect === 'sqlite') return ok('compared by code point');
  const counts = [...groupBy(textColumns(facts), ({ column }) => column.collation ?? '')]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([collation, columns]) => `${collation} (${countOf(columns.length, 'column')})`);
  if (counts.length <= 1) return ok(counts.join(''));
  return warning(
    `several: ${counts.join(', ')}. hcd states its collation, but queries of the CMS that join such columns can fail`,
    'Convert all tables to one collation',
  );
}

/** The change is committed before its announcement and its kept answer; a tree is locked by rows of the content. */
async function checkOwnTables(facts: StoreFacts): Promise<Finding | Finding[]> {
  const { own, content, tables, prefix } = facts.store;
  if (own === content) {
    return readTables(facts).some(lacksTransactions)
      ? ok('in the database of the content, of which some tables have no transactions (see engines)')
      : ok('in the database of the content: a change, its events and its answer are one transaction');
  }
  const contexts = tables.get(`${prefix}context`);
  return [
    warning(
      'in a different database from the content, so a change needs two commits: if hcd is killed or a database fails between them, the change stays without its webhook event, other servers keep older answers for gateway_cache_ttl, and its Idempotency-Key answers 409 as long as it is kept; nothing is done twice',
      'Unset HCD_OWN_DATABASE_URL to keep all in one database, or keep it and repair interrupted requests by hand (docs/writing.md#sending-again)',
    ),
    ...when(
      contexts !== undefined && lacksTransactions(contexts),
      warning(
        `${prefix}context is ${contexts?.engine} and has no row locks: two changes of the tree at the same time can give two resources the same URI, or move each below the other`,
        `The owner may run: ALTER TABLE ${prefix}context ENGINE=InnoDB; or unset HCD_OWN_DATABASE_URL`,
      ),
    ),
  ];
}

const otherTables = wordList(`
  context_resource context_setting system_settings site_tmplvar_templates site_tmplvar_contentvalues site_tmplvar_access
  categories_closure media_sources document_groups access_context access_resource_groups access_policies
  membergroup_names member_groups user_group_roles users user_attributes
`);

const tableNames: readonly string[] = [...new Set([...coreObjects.map(({ table }) => table), ...otherTables])];

function readTables({ store: { tables, prefix } }: StoreFacts): Table[] {
  return tableNames.flatMap((name) => tables.get(`${prefix}${name}`) ?? []);
}

function lacksTransactions({ engine }: Pick<Table, 'engine'>): boolean {
  return /^(?:myisam|aria|memory|csv)$/i.test(engine ?? '');
}

interface WantedIndex {
  readonly table: string;
  readonly beginning: readonly string[];
  readonly slow: string;
  readonly create: string;
}

const wanted: readonly WantedIndex[] = [
  {
    table: 'site_content',
    beginning: ['context_key', 'uri'],
    slow: 'every page lookup reads the whole table',
    create: 'hcd_page_by_uri (`context_key`, `uri`(191), `published`, `deleted`)',
  },
  {
    table: 'site_content',
    beginning: ['context_key', 'published', 'deleted'],
    slow: 'lists and their totals read the whole table',
    create: 'hcd_visible (`context_key`, `published`, `deleted`, `id`)',
  },
  {
    table: 'site_content',
    beginning: ['parent'],
    slow: 'children are found by reading the whole table',
    create: 'hcd_children (`parent`, `menuindex`, `id`)',
  },
  {
    table: 'site_tmplvar_contentvalues',
    beginning: ['contentid'],
    slow: 'values of template variables are found by reading the whole table',
    create: 'hcd_values_of_resource (`contentid`, `tmplvarid`)',
  },
  {
    table: 'document_groups',
    beginning: ['document'],
    slow: 'access rules are found by reading the whole table',
    create: 'hcd_groups_of_resource (`document`, `document_group`)',
  },
];

/** Below this number of rows reading a whole table is quick. */
const largeTable = 10_000;

/** Our own tables have their indexes from the migrations. */
async function checkIndexes({ store }: StoreFacts): Promise<readonly Finding[]> {
  if (store.kind !== 'attached') return [ok('as the migrations made them')];
  const findings: Finding[] = [];
  for (const { table: name, beginning, slow, create } of wanted) {
    const table = store.tables.get(`${store.prefix}${name}`);
    if (table === undefined || table.indexes.some(({ columns }) => isEnough(columns, beginning))) continue;
    const [row] = await store.content.primary.select({ sql: `SELECT COUNT(*) FROM \`${table.name}\``, params: [] });
    const rows = Number(row?.[0]);
    if (rows < largeTable) continue;
    findings.push(
      warning(
        `${table.name} (${rows} rows) has no index on ${beginning.join(', ')}: ${slow}`,
        `The owner may run: CREATE INDEX ${create.replace(' ', ` ON \`${table.name}\` `)};`,
      ),
    );
  }
  return orOk(findings, 'enough for the size of the tables');
}

/** An index that begins with the URI alone also narrows down a page look-up. */
function isEnough(columns: readonly string[], beginning: readonly string[]): boolean {
  if (beginning.includes('uri') && columns[0] === 'uri') return true;
  return beginning.every((column, place) => columns[place] === column);
}
