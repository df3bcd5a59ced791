/** Changes links of banners to positions for `hcd position link|unlink|order`. */

import { linkBanner, orderPosition, readLinks, unlinkBanner } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import type { Link } from '../../src/banners/rules/position.js';
import type { Deps } from '../deps.js';
import type { DoneResult, JsonRecord, ListResult, RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

const username = 'cli';

interface Pair {
  readonly position: string;
  readonly banner: number;
}

export interface LinkOptions extends Pair {
  readonly weight: number | undefined;
  readonly idx: number | undefined;
}

export async function runLink(options: LinkOptions, deps: Deps): Promise<RecordResult> {
  const { banner, weight = null, idx = null } = options;
  const store = await openReady(deps);
  const { id } = await findPosition(store, options.position);
  const { link, isNew } = await linkBanner(store, { position: id, ad: banner, weight, idx, username });
  const notes = isNew ? [] : ['The banner was at this position already.'];
  return { kind: 'record', record: linkRecord(link), notes };
}

export async function runUnlink({ position, banner }: Pair, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const { id, name } = await findPosition(store, position);
  const link = await unlinkBanner(store, { position: id, ad: banner, username });
  const message = `Took banner ${banner} away from position ${id} "${name}".`;
  return { kind: 'done', message, data: { ...linkRecord(link), removed: true } };
}

export async function runOrder(
  { position, banners }: { readonly position: string; readonly banners: readonly number[] },
  deps: Deps,
): Promise<ListResult> {
  const store = await openReady(deps);
  const { id } = await findPosition(store, position);
  const links =
    banners.length === 0
      ? await readLinks(store, id)
      : await orderPosition(store, { position: id, ads: banners, username });
  return {
    kind: 'list',
    columns: ['idx', 'ad', 'id', 'weight'],
    rows: links.map(linkRecord),
    empty: `The position has no banner. Link one: hcd position link ${id} BANNER`,
  };
}

/** The names of the table's columns. */
function linkRecord({ id, ad, position, idx, weight }: Link): JsonRecord {
  return { id, ad, position, idx, weight };
}
