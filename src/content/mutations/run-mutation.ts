/** Runs a mutation with its announcement and kept result. Nothing leaves the process before the commit. */
import type { Database, Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { bumpContentGeneration } from '../../store/state/state.js';
import { perObject } from '../../values/kept-values.js';
import { enqueue } from '../../webhooks/queue/enqueue.js';
import type { EventFacts, EventSource } from '../../webhooks/rules/events.js';
import { type ContentChange, writeChange, writeChangedRows } from '../live/content-change.js';
import type { LiveSnapshot } from '../live/live-state.js';
import { type Mutation, revalidateTags, type Warning } from '../live/mutation.js';
import { type NewRedirect, removeRedirectsTo, writeRedirects } from '../models/redirects.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';
import type { Caller } from '../query/authorize.js';
import type { RowPlan } from '../query/plan.js';
import type { Predicate } from '../query/predicate.js';
import type { Attached } from '../reading/includes.js';
import type { ContentReader, FoundRow, RecordJson } from '../reading/select-rows.js';

export interface MutationListeners {
  announce(tx: Tx, mutation: Mutation): Promise<void>;
  /** After the commit, in this process, before the mutation is answered. Never throws. */
  committed?(mutation: Mutation): Promise<void>;
}

/** Keeps the result of a mutation together with its effect, for a request that may be repeated. */
export interface Seal<T> {
  /** In the transaction, on our own tables, before the content changes: throws when the request was answered before. */
  begin(tx: Tx): Promise<void>;
  keep(tx: Tx, result: T): Promise<void>;
  /** The kept result when the answer to COMMIT was lost. */
  find(tx: Tx): Promise<T | undefined>;
  /** Undoes a committed `begin` after the change was refused; only with two databases. */
  release(tx: Tx): Promise<void>;
}

export interface WriteRequest<T> {
  readonly writer: ContentWriter;
  readonly caller: Caller;
  readonly definition: ObjectDefinition;
  readonly context: string;
  readonly namesContext: boolean;
  /** The right to change a record does not include reading it. */
  readonly readable: (context: string) => Predicate;
  readonly seal: Seal<T> | null;
}

export interface WrittenRecord extends Attached {
  readonly key: string | number;
  /** A caller that may not read the record gets its key and the written fields as they were sent. */
  readonly record: RecordJson;
  readonly warnings: readonly Warning[];
  /** What a read without parameters returns; null if the caller may not read it. */
  readonly bare: FoundRow | null;
}

export interface AnsweredWrite<T> extends WriteRequest<T> {
  readonly plan: (context: string) => RowPlan;
  /** Runs in the transaction, so it must have no effect. */
  readonly present: (written: WrittenRecord) => T;
}

export interface TargetedWrite<T> extends WriteRequest<T> {
  readonly key: string | number;
  /** Throws to refuse; `current` is null if the caller may not read the record. */
  readonly precondition: ((current: FoundRow | null) => void) | null;
}

export interface Write extends Pick<WriteRequest<unknown>, 'writer' | 'caller' | 'context' | 'namesContext'> {
  readonly tx: Tx;
}

export function readerOf({ tx, writer }: Pick<Write, 'tx' | 'writer'>): ContentReader {
  return { ...writer.reader, db: tx };
}

export interface ContentWriter {
  readonly store: Store;
  readonly registry: Registry;
  readonly reader: ContentReader;
  readonly live: () => LiveSnapshot;
  readonly now: () => number;
  readonly listeners: MutationListeners;
}

interface MutationRun<T> {
  readonly store: Store;
  readonly listeners: MutationListeners;
  readonly seal: Seal<T> | null;
  /** May run more than once, so it has no effect outside the database. Without a mutation nothing is announced. */
  readonly work: (tx: Tx) => Promise<{ readonly mutation: Mutation | null; readonly result: T }>;
}

export async function runMutation<T>(run: MutationRun<T>): Promise<T> {
  const { store, listeners } = run;
  const done = store.own === store.content ? await runTogether(run) : await runNoted(run);
  if (done.mutation !== null) await listeners.committed?.(done.mutation);
  return done.result;
}

interface Done<T> {
  /** Null when nothing changed, or when the commit took effect although its answer was lost. */
  readonly mutation: Mutation | null;
  readonly result: T;
}

function runTogether<T>({ store, listeners, seal, work }: MutationRun<T>): Promise<Done<T>> {
  return store.content.write<Done<T>>(
    async (tx) => {
      await seal?.begin(tx);
      const { mutation, result } = await work(tx);
      await seal?.keep(tx, result);
      // Last: the announcement fixes the order of changes and blocks other writers until the commit.
      if (mutation !== null) await listeners.announce(tx, mutation);
      return { mutation, result };
    },
    seal === null
      ? {}
      : {
          async outcome(tx) {
            const result = await seal.find(tx);
            return result === undefined ? undefined : { mutation: null, result };
          },
        },
  );
}

/** With two databases: mutations of this process from before the commit in the content until the end of the write. */
export const unannounced = perObject<Database, Map<Promise<unknown>, Mutation | null>>(() => new Map());

function runNoted<T>(run: MutationRun<T>): Promise<Done<T>> {
  const mutations = unannounced(run.store.own);
  const ended: Promise<Done<T>> = runApart(run, (mutation) => mutations.set(ended, mutation)).finally(() =>
    mutations.delete(ended),
  );
  return ended;
}

/**
 * Two databases cannot commit together. A crash between change and seal leaves a seal without a result: the change is
 * not repeated, and its announcement is lost (`hcd doctor` warns of this). Only committed changes are announced.
 */
async function runApart<T>(
  { store, listeners, seal, work }: MutationRun<T>,
  note: (mutation: Mutation | null) => void,
): Promise<Done<T>> {
  // A begin whose COMMIT was lost runs again and recognises its own row.
  if (seal !== null) await store.own.write((tx) => seal.begin(tx), { outcome: async () => undefined });
  let isWorkDone = false;
  const attempt = async (tx: Tx) => {
    isWorkDone = false;
    const done = await work(tx);
    isWorkDone = true;
    note(done.mutation);
    return done;
  };
  const { mutation, result } = await store.content.write(attempt).catch(async (error: unknown) => {
    // When the commit failed, the change may have taken effect: then the seal stays as it is.
    if (seal !== null && !isWorkDone) {
      // A seal that stays refuses the next request, which is safe; the error of the change is thrown.
      await store.own.write((tx) => seal.release(tx)).catch(() => undefined);
    }
    throw error;
  });
  await store.own.write(
    async (tx) => {
      await seal?.keep(tx, result);
      if (mutation !== null) await listeners.announce(tx, mutation);
    },
    seal === null ? {} : { outcome: async (tx) => ((await seal.find(tx)) === undefined ? undefined : null) },
  );
  return { mutation, result };
}

export interface AnnouncedChange extends ContentChange {
  readonly payload: string | null;
}

/** Writes mutations to the log of changes. Last of all listeners: from then on other writers wait for the commit. */
export function announceChanges(
  report: (change: AnnouncedChange) => Promise<void> = async () => undefined,
): MutationListeners {
  // A repeated transaction announces another mutation: only the committed one is reported.
  const announcedOf = perObject<Mutation, { change?: AnnouncedChange }>(() => ({}));
  return {
    async announce(tx: Tx, mutation) {
      const payload = writeChangedRows(mutation);
      const generation = await generationOf(tx);
      await writeChange(tx, { generation, payload });
      announcedOf(mutation).change = { generation, payload, rows: payload === null ? null : mutation.rows };
    },
    async committed(mutation) {
      const { change } = announcedOf(mutation);
      if (change !== undefined) await report(change);
    },
  };
}

/** Puts one event per mutation (docs/webhooks.md#what-raises-events) into the outbox. */
export function announceEvents(): MutationListeners {
  return {
    async announce(tx, mutation) {
      if (mutation.isQuiet === true) return;
      await enqueue(tx, eventFacts(mutation, 'hcd'), { revision: () => generationOf(tx) });
    },
  };
}

export function eventFacts(mutation: Mutation, source: EventSource): EventFacts {
  const { object, action, key, context, uri, parent } = mutation;
  return {
    ...{ object, action, key, context, uri, parent, source },
    // Computed only for an event with subscribers: a branch has tens of thousands of tags.
    get revalidate() {
      return revalidateTags(mutation);
    },
  };
}

export function joinListeners(listeners: readonly MutationListeners[]): MutationListeners {
  return {
    async announce(tx, mutation) {
      for (const listener of listeners) await listener.announce(tx, mutation);
    },
    async committed(mutation) {
      await Promise.all(listeners.map((listener) => listener.committed?.(mutation)));
    },
  };
}

/** One per transaction, so a repeated one raises the number again. From the first call on other writers wait for the commit. */
const generationOf = perObject(bumpContentGeneration);

const permanent = 301;

/** Keeps the addresses that published pages leave (docs/gateway.md#moved-pages). In a transaction on our own tables. */
export async function rememberMoved(tx: Tx, { rows }: Pick<Mutation, 'rows'>): Promise<void> {
  const left: NewRedirect[] = [];
  const removed: number[] = [];
  for (const { object, key, before, after } of rows) {
    if (object !== 'resources' || before === null) continue;
    const id = Number(key);
    if (after === null) removed.push(id);
    const { uri: source, context_key: context } = before;
    const isShown = before['published'] === true && before['deleted'] !== true;
    if (after === null || !isShown || typeof source !== 'string' || typeof context !== 'string') continue;
    // The home page of a site may have no address of its own.
    if (source === '' || (source === after['uri'] && context === after['context_key'])) continue;
    left.push({ context, source, resource: id, target: null, status: permanent });
  }
  if (removed.length > 0) await removeRedirectsTo(tx, removed);
  if (left.length > 0) await writeRedirects(tx, left);
}
