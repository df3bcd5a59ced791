/** What the mutations of resources work with inside the transaction of their caller (`work` of runMutation). */
import { contentUserId } from '../../access/identity.js';
import { AppError } from '../../errors/app-error.js';
import type { LiveSnapshot } from '../live/live-state.js';
import type { ResourceTable } from '../models/resources.js';
import type { Write } from '../mutations/write.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { toldFields } from '../records/row-facts.js';
import { loadTransliteration } from '../rules/transliterate.js';
import { type ContextRules, contextRules } from './context-rules.js';

/** A write with what its steps ask for again and again. */
export interface ResourceWork extends Write {
  readonly prefix: string;
  readonly table: ResourceTable;
  readonly definition: ObjectDefinition;
  /** Fields by which a mutation tells of a row. */
  readonly told: readonly string[];
  /** Unix seconds. */
  readonly now: number;
  /** The user who is written down as author; 0 for credentials without one. */
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
    told: toldFields(registry.resources, registry),
    now: Math.floor(writer.now() / 1000),
    actor: contentUserId(caller.identity),
    rulesOf: (context) => contextRules(live, context),
  };
}

/** Whether the rules of any context ask for it. */
function makesAsciiAliases({ system, byContext }: LiveSnapshot): boolean {
  return [system, ...byContext.values()].some((settings) => settings.get('friendly_alias_translit') === 'ascii');
}
