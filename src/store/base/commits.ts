/**
 * Tells what keeps facts in memory of the writes of this process: who writes such a fact marks its transaction, and the
 * listeners of the database hear of it once it is committed, before the writer goes on. Other processes look for
 * themselves.
 */
import type { Database, Tx } from './database.js';

/** live: settings and whatever raises the content generation; banners: banners, positions and their links. */
export type Topic = 'live' | 'banners';

type Listener = () => void | Promise<void>;

const touched = new WeakMap<Tx, Set<Topic>>();
const listeners = new WeakMap<object, Map<Topic, Set<Listener>>>();

/** Marks the transaction: what it changes is kept in memory somewhere. */
export function touch(tx: Tx, topic: Topic): void {
  const topics = touched.get(tx) ?? new Set();
  touched.set(tx, topics.add(topic));
}

/** Calls the listener after every such commit of this process to the database; gives the function that ends it. */
export function onCommit(database: Database, topic: Topic, listener: Listener): () => void {
  const byTopic = listeners.get(database) ?? new Map<Topic, Set<Listener>>();
  listeners.set(database, byTopic);
  const ofTopic = byTopic.get(topic) ?? new Set();
  byTopic.set(topic, ofTopic.add(listener));
  return () => void ofTopic.delete(listener);
}

/** Resolves when every listener has taken in what the transaction has changed. A listener that fails looks again later. */
export async function tellCommit(database: Database, tx: Tx): Promise<void> {
  const byTopic = listeners.get(database);
  const topics = touched.get(tx);
  if (byTopic === undefined || topics === undefined) return;
  const heard = [...topics].flatMap((topic) => [...(byTopic.get(topic) ?? [])]);
  await Promise.allSettled(heard.map(async (listener) => listener()));
}
