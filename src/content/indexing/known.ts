/** Keeps what was last seen of each resource. A resource that differs from it was changed by another program. */
import type { Reader, Tx } from '../../store/base/database.js';
import {
  type KnownResource,
  knownResources,
  readKnown,
  readSeen,
  removeKnown,
  writeKnown,
} from '../models/known-resources.js';
import type { ContentIndex, Source } from './content-index.js';

/** Marks what is known as complete. No resource has this id. The number is the version of the digests. */
const whole: KnownResource = {
  ...{ resource: 0, digest: 'whole 1', context_key: '', uri: null },
  ...{ parent: 0, published: false, deleted: false },
};

export interface SeenChange {
  readonly id: number;
  /** Null = it did not exist. */
  readonly before: KnownResource | null;
  /** Null = it is gone. */
  readonly after: KnownResource | null;
}

export const known: ContentIndex = {
  async make(source, ids) {
    const rows = [...(await readSeen(source, { ids })).values()];
    return (tx) => writeKnown(tx, rows);
  },
  update: async (tx, source, { ids }) => (await noteSeen(tx, source, ids)).map(({ id }) => id),
  isEmpty: async (own, { after, upTo }) => (await readKnown(own, { after, upTo })).size === 0,
  async differing(own, source, { after, upTo }) {
    const range = { after, upTo };
    return differences(await readKnown(own, range), await readSeen(source, range)).map(({ id }) => id);
  },
  isWhole: async (own) => (await knownResources.on(own).lookUp({ resource: whole.resource }))?.digest === whole.digest,
  setWhole: (tx) => writeKnown(tx, [whole]),
};

export async function compareSeen(own: Reader, source: Source, ids: readonly number[]): Promise<readonly SeenChange[]> {
  return differences(await readKnown(own, { ids }), await readSeen(source, { ids }));
}

export async function noteSeen(tx: Tx, source: Source, ids: readonly number[]): Promise<readonly SeenChange[]> {
  const changes = await compareSeen(tx, source, ids);
  await writeKnown(
    tx,
    changes.flatMap(({ after }) => after ?? []),
  );
  await removeKnown(
    tx,
    changes.filter(({ after }) => after === null).map(({ id }) => id),
  );
  return changes;
}

function differences(
  before: ReadonlyMap<number, KnownResource>,
  after: ReadonlyMap<number, KnownResource>,
): readonly SeenChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => ({ id, before: before.get(id) ?? null, after: after.get(id) ?? null }))
    .filter((one) => one.before?.digest !== one.after?.digest);
}
