/** Whether a large attached site has the indexes that our queries need. The statements are the owner's to run. */
import { type Finding, ok, type StoreFacts, warning } from './check.js';

interface WantedIndex {
  readonly table: string;
  /** One of these beginnings is enough. */
  readonly beginnings: readonly (readonly string[])[];
  readonly slow: string;
  readonly create: string;
}

const wanted: readonly WantedIndex[] = [
  {
    table: 'site_content',
    beginnings: [['uri'], ['context_key', 'uri']],
    slow: 'every page lookup reads the whole table',
    create: 'hcd_page_by_uri (`context_key`, `uri`(191), `published`, `deleted`)',
  },
  {
    table: 'site_content',
    beginnings: [['context_key', 'published', 'deleted']],
    slow: 'lists and their totals read the whole table',
    create: 'hcd_visible (`context_key`, `published`, `deleted`, `id`)',
  },
  {
    table: 'site_content',
    beginnings: [['parent']],
    slow: 'children are found by reading the whole table',
    create: 'hcd_children (`parent`, `menuindex`, `id`)',
  },
  {
    table: 'site_tmplvar_contentvalues',
    beginnings: [['contentid']],
    slow: 'values of template variables are found by reading the whole table',
    create: 'hcd_values_of_resource (`contentid`, `tmplvarid`)',
  },
  {
    table: 'document_groups',
    beginnings: [['document']],
    slow: 'access rules are found by reading the whole table',
    create: 'hcd_groups_of_resource (`document`, `document_group`)',
  },
];

/** Below this number of rows reading a whole table is quick. */
const largeTable = 10_000;

/** Our own tables have their indexes from the migrations. */
export async function checkIndexes({ store }: StoreFacts): Promise<Finding | Finding[]> {
  if (store.kind !== 'attached') return ok('as the migrations made them');
  const findings: Finding[] = [];
  for (const index of wanted) {
    const table = store.tables.get(`${store.prefix}${index.table}`);
    if (table === undefined || hasBeginning(table.indexes, index.beginnings)) continue;
    const [row] = await store.content.primary.select({ sql: `SELECT COUNT(*) FROM \`${table.name}\``, params: [] });
    const rows = Number(row?.[0]);
    if (rows < largeTable) continue;
    const [name = '', ...columns] = index.create.split(' ');
    findings.push(
      warning(
        `${table.name} (${rows} rows) has no index on ${(index.beginnings.at(-1) ?? []).join(', ')}: ${index.slow}`,
        `The owner may run: CREATE INDEX ${name} ON \`${table.name}\` ${columns.join(' ')};`,
      ),
    );
  }
  return findings.length === 0 ? ok('enough for the size of the tables') : findings;
}

function hasBeginning(
  indexes: readonly { readonly columns: readonly string[] }[],
  beginnings: WantedIndex['beginnings'],
): boolean {
  return beginnings.some((beginning) =>
    indexes.some(({ columns }) => beginning.every((column, place) => columns[place] === column)),
  );
}
