/** The audit log of banners. */
import type { Reader } from '../../store/base/database.js';
import { id, integer, json, orNull, text, time } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';
import { batchesOf } from '../../values/batches.js';
import { ads } from './ads.js';
import { positions } from './positions.js';

export const audit = defineModel('hcd_ad_audit', {
  id: id(),
  entity: text(20),
  entityId: orNull(integer()),
  label: text(255),
  action: text(40),
  createdOn: time(),
  username: text(190),
  payload: json((value) => value ?? null),
  /** Finds the write when the answer to its COMMIT was lost. */
  writeId: orNull(text(32)),
});

export type NamedKind = 'ad' | 'position';

const batchSize = 100;

export async function readNames(reader: Reader, kind: NamedKind, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  const attributes = ['id', 'name'] as const;
  for (const part of batchesOf([...new Set(ids)], batchSize)) {
    const found =
      kind === 'ad'
        ? await ads.on(reader).lookUpAll({ id: part }, { attributes })
        : await positions.on(reader).lookUpAll({ id: part }, { attributes });
    for (const row of found) names.set(row.id, row.name);
    const removed = part.filter((one) => !names.has(one));
    if (removed.length === 0) continue;
    const entries = await audit
      .on(reader)
      .lookUpAll({ entity: kind, entityId: removed }, { attributes: ['entityId', 'label'], order: ['id'] });
    for (const { entityId, label } of entries) names.set(Number(entityId), label);
  }
  return names;
}
