/** Links: which banner is shown at which position, with its place and weight there. */
import { literal } from 'sequelize';
import type { Tx } from '../../store/base/database.js';
import { id, integer, optional } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';
import { batchesOf } from '../../values/batches.js';
import type { Link } from '../rules/banner.js';

export const links = defineModel('hcd_ad_links', {
  id: id(),
  ad: integer(),
  position: integer(),
  idx: optional(integer()),
  weight: optional(integer()),
});

export async function placeLinks(tx: Tx, ordered: readonly Pick<Link, 'id' | 'idx'>[]): Promise<void> {
  const moved = ordered.map((link, place) => ({ ...link, place })).filter(({ idx, place }) => idx !== place);
  for (const some of batchesOf(moved)) {
    const places = some.map((link) => `WHEN ${Number(link.id)} THEN ${link.place}`);
    const where = { id: some.map((link) => link.id) };
    await links.on(tx).update({ idx: literal(`CASE \`id\` ${places.join(' ')} END`) }, { where });
  }
}
