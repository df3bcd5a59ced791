/**
 * The lock under which the tree of resources changes its shape or its addresses. Two such changes decide on rows of
 * each other (is this URI free? is that parent no descendant?), and READ COMMITTED would let both find what they hope
 * for. Changes of a resource's own content take only the lock of its row and run side by side.
 */
import { writeState } from '../../store/state/state.js';
import { contexts } from '../models/elements.js';
import type { ResourceWork } from './resource-write.js';

const lockName = 'resource_tree';

/** Waits for other changes of the tree; held until the end of the transaction. */
export async function lockTree({ tx, writer, prefix }: ResourceWork): Promise<void> {
  // BEGIN IMMEDIATE: there is only one writer anyway.
  if (tx.dialect === 'sqlite') return;
  const { store } = writer;
  if (store.own === store.content) {
    // A write, not a SELECT … FOR UPDATE: it excludes writers on other nodes of a cluster too, and it also works where
    // the CMS's tables are MyISAM and have no row locks.
    await writeState(tx, lockName, '1');
    return;
  }
  await contexts.on(tx, prefix).lookUpAll({}, { attributes: ['key'], order: ['key'], lock: true });
}
