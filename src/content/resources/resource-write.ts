/** What the mutations of resources work with inside the transaction of their caller (`work` of runMutation). */
import { contentUserId } from '../../access/identity.js';
import { AppError } from '../../errors/app-error.js';
import { writeState } from '../../store/state/state.js';
import type { LiveSnapshot } from '../live/live-state.js';
import { contexts } from '../models/elements.js';
import type { ResourceTable } from '../models/resources.js';
import type { Write } from '../mutations/write-request.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { announcedFields } from '../records/row-facts.js';
import { loadTransliteration } from '../rules/transliterate.js';
import { type ContextRules, contextRules } from './context-rules.js';

/** A write with what its steps need. */
export interface ResourceWork extends Write {
  readonly prefix: string;
  readonly table: ResourceTable;
  readonly definition: ObjectDefinition;
  /** Fields that a mutation announces of a row. */
  readonly announced: readonly string[];
  /** Unix seconds. */
  readonly now: number;
  /** The user who is stored as author; 0 for credentials without one. */
  readonly actor: number;
  readonly rulesOf: (context: string) => ContextRules;
}

export async function startWork(write: Write): Promise<ResourceWork> {
  const { writer, caller } = write;
  const { store, registry } = writer;
  const table = store.tables.get(`${store.prefix}site_content`);
  // An empty store is refused at start; this is for a table that was dropped under a running server.
  if (!table) throw new AppError('unavailable');
  const live = writer.live();
  if (makesAsciiAliases(live)) await loadTransliteration();
  return {
    ...write,
    prefix: store.prefix,
    table,
    definition: registry.resources,
    announced: announcedFields(registry.resources, registry),
    now: Math.floor(writer.now() / 1000),
    actor: contentUserId(caller.identity),
    rulesOf: (context) => contextRules(live, context),
  };
}

/** Whether the rules of any context ask for it. */
function makesAsciiAliases({ system, byContext }: LiveSnapshot): boolean {
  return [system, ...byContext.values()].some((settings) => settings.get('friendly_alias_translit') === 'ascii');
}

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
