/** Says in one sentence what a database is: our own store, the site of a CMS, or without content tables. */

import { tablePrefixValue } from '../../config/value-type.js';
import { readSystemSettings } from '../../content/models/settings.js';
import { readTables } from '../../store/base/columns.js';
import type { Store } from '../../store/open/open.js';
import { countOf } from '../../values/text.js';

export type StoreDescription = Awaited<ReturnType<typeof inspectStore>>;

export async function inspectStore(store: Store) {
  const { kind, prefix } = store;
  const otherPrefixes = (await contentPrefixes(store)).filter((other) => other !== prefix);
  const [version, resources] = kind === 'empty' ? [null, 0] : [await readVersion(store), await countResources(store)];
  return { kind, prefix, version, resources, otherPrefixes };
}

/** A sentence without full stop, such as "MODX 3.1 site, 532 resources, prefix modx_". */
export function describeStore({ kind, prefix, version, resources, otherPrefixes }: StoreDescription): string {
  const named = `prefix ${prefix === '' ? '(none)' : prefix}`;
  const counted = countOf(resources, 'resource');
  switch (kind) {
    case 'attached':
      return `${version === null ? 'site of a CMS' : `MODX ${version} site`}, ${counted}, ${named}`;
    case 'own':
      return `store made by hcd, ${counted}, ${named}`;
    case 'empty': {
      const others = otherPrefixes.map((other) => (other === '' ? '(none)' : other));
      const hint = others.length === 0 ? '' : `, but with the prefix ${others.join(', ')}`;
      return `no content tables with the ${named}${hint}`;
    }
    default:
      return kind satisfies never;
  }
}

/** Every CMS database has both tables. */
async function contentPrefixes({ content }: Store): Promise<string[]> {
  const names = [...(await readTables(content.primary, '')).keys()];
  return names
    .filter((name) => name.endsWith('site_content'))
    .map((name) => name.slice(0, -'site_content'.length))
    .filter((prefix) => tablePrefixValue.parse(prefix).ok && names.includes(`${prefix}system_settings`));
}

/** Of the CMS that made or upgraded the content tables; null when it does not say. */
async function readVersion({ content, prefix, tables }: Store): Promise<string | null> {
  if (!tables.has(`${prefix}system_settings`)) return null;
  const [row] = await readSystemSettings(content.primary, prefix, ['settings_version']);
  return row?.value || null;
}

async function countResources({ content, prefix }: Store): Promise<number> {
  const [row] = await content.primary.select({ sql: `SELECT COUNT(*) FROM \`${prefix}site_content\``, params: [] });
  return Number(row?.[0]);
}
