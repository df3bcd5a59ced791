/** What mutations of resources share: planned rows, the rules of each context, the rights, the announcement. */
import { decideResourceGroups, groupsAllow } from '../../access/acl.js';
import { AppError, Problems } from '../../errors/app-error.js';
import { writeState } from '../../store/state/state.js';
import { perObject } from '../../values/kept-values.js';
import type { LiveSnapshot } from '../live/live-state.js';
import {
  announcedFields,
  type FieldValues,
  type Mutation,
  mutationOf,
  type RowChange,
  type Warning,
} from '../live/mutation.js';
import { documentGroups } from '../models/access.js';
import { contentTypes, contexts } from '../models/elements.js';
import { isResourceField, type ResourceField, type ResourceState, type ResourceTable } from '../models/resources.js';
import type { Write } from '../mutations/run-mutation.js';
import type { ObjectDefinition } from '../objects/definition.js';
import type { JsonValue } from '../objects/values.js';
import { usableContexts } from '../query/authorize.js';
import { loadTransliteration } from '../rules/alias.js';
import { type ContentSettings, flagSetting, integerSetting, textSetting } from '../rules/settings.js';
import { readUriSettings, type UriContentType, type UriSettings } from '../rules/uri.js';
import { PlannedRows } from './planned-rows.js';

export interface ResourceWork extends Write {
  readonly prefix: string;
  readonly table: ResourceTable;
  readonly definition: ObjectDefinition;
  readonly announced: readonly string[];
  readonly now: number;
  /** Stored as author; 0 for credentials without a user. */
  readonly actor: number;
  readonly rulesOf: (context: string) => ContextRules;
  readonly rows: PlannedRows;
  readonly problems: Problems;
  readonly warnings: Warning[];
}

export type ContentTypes = ReadonlyMap<number, UriContentType>;

export interface UriWork extends ResourceWork {
  readonly contentTypes: ContentTypes;
}

export async function startWork(write: Write): Promise<ResourceWork> {
  const { writer, caller } = write;
  const { store, registry } = writer;
  const table = store.tables.get(`${store.prefix}site_content`);
  // An empty store is refused at start; this is for a table that was dropped under a running server.
  if (!table) throw new AppError('unavailable');
  const live = writer.live();
  const isAscii = (settings: ContentSettings) => settings.get('friendly_alias_translit') === 'ascii';
  if ([live.system, ...live.byContext.values()].some(isAscii)) await loadTransliteration();
  return {
    ...write,
    prefix: store.prefix,
    table,
    definition: registry.resources,
    announced: announcedFields(registry.resources, registry),
    now: Math.floor(writer.now() / 1000),
    actor: caller.identity.userId ?? 0,
    rulesOf: (context) => rulesOfContext(live, context),
    rows: new PlannedRows(write.tx, table),
    problems: new Problems(),
    warnings: [],
  };
}

export async function readContentTypes({ tx, prefix }: Pick<ResourceWork, 'tx' | 'prefix'>): Promise<ContentTypes> {
  const rows = await contentTypes.on(tx, prefix).lookUpAll({}, { attributes: ['id', 'mime_type', 'file_extensions'] });
  return new Map(rows.map((row) => [row.id, row]));
}

const lockName = 'resource_tree';

export async function lockTree({ tx, writer, prefix }: ResourceWork): Promise<void> {
  // BEGIN IMMEDIATE: there is only one writer anyway.
  if (tx.dialect === 'sqlite') return;
  const { store } = writer;
  if (store.own === store.content) {
    // A write, not a SELECT … FOR UPDATE: it also excludes writers on other nodes of a cluster, and works if the CMS's
    // tables are MyISAM and have no row locks.
    await writeState(tx, lockName, '1');
    return;
  }
  await contexts.on(tx, prefix).lookUpAll({}, { attributes: ['key'], order: ['key'], lock: true });
}

export interface ContextRules {
  readonly settings: ContentSettings;
  readonly uri: UriSettings;
  readonly autoIsfolder: boolean;
  readonly autoMenuindex: boolean;
  readonly globalUris: boolean;
  readonly startPage: number;
  /** Pages without which the site does not work, by id; the value is their setting. */
  readonly keptPages: ReadonlyMap<number, string>;
  readonly shortClassNames: boolean;
}

const rulesByContext = perObject<LiveSnapshot, Map<string, ContextRules>>(() => new Map());

export function rulesOfContext(live: LiveSnapshot, context: string): ContextRules {
  const byContext = rulesByContext(live);
  const rules = byContext.get(context) ?? readRules(live, context);
  byContext.set(context, rules);
  return rules;
}

function readRules(live: LiveSnapshot, context: string): ContextRules {
  const settings: ContentSettings = new Map([...live.system, ...(live.byContext.get(context) ?? [])]);
  // The first of the three names the page where one page serves as several.
  const pages = ['site_unavailable_page', 'error_page', 'site_start'].map((key): [number, string] => [
    integerSetting(settings, key, 0),
    key,
  ]);
  return Object.freeze({
    settings,
    uri: readUriSettings(settings).settings,
    autoIsfolder: flagSetting(settings, 'auto_isfolder', true),
    autoMenuindex: flagSetting(settings, 'auto_menuindex', true),
    globalUris: flagSetting(settings, 'global_duplicate_uri_check', false),
    startPage: integerSetting(settings, 'site_start', 1),
    keptPages: new Map(pages.filter(([id]) => id > 0)),
    shortClassNames: textSetting(settings, 'settings_version', '3').startsWith('2.'),
  });
}

interface TwoStates {
  readonly before: ResourceState | null;
  readonly after: ResourceState | null;
}

export function toMutation(
  { rows, definition, announced, warnings }: ResourceWork,
  action: Mutation['action'],
  row: TwoStates,
): Mutation {
  const names = announced.filter(isResourceField);
  const own = toChange(row, names);
  const others = rows.changed().filter(({ after }) => after.id !== own.key);
  return {
    ...mutationOf(definition, action, own),
    rows: [own, ...others.map((one) => toChange(one, names))],
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function toChange({ before, after }: TwoStates, names: readonly ResourceField[]): RowChange {
  return {
    object: 'resources',
    key: after?.id ?? before?.id ?? 0,
    before: before && pick(before, names),
    after: after && pick(after, names),
  };
}

function pick(row: ResourceState, names: readonly ResourceField[]): FieldValues {
  const values: Record<string, JsonValue> = {};
  // A loop: a branch has tens of thousands of rows, each announced twice.
  for (const name of names) values[name] = row[name];
  return values;
}

/** docs/reference/storage.md#access-rules. Scopes were checked before. */
type ResourceRight = 'save' | 'publish' | 'delete' | 'undelete' | 'add_children';

export function isUsableContext({ caller }: ResourceWork, context: string): boolean {
  return usableContexts(caller).includes(context);
}

/** A mutation finds the row across contexts and then checks access to its context. Throws scope_denied. */
export function checkRowContext(work: ResourceWork, context: string): void {
  if (isUsableContext(work, context)) return;
  throw new AppError('scope_denied', { message: `Insufficient permissions: no access to the context ${context}` });
}

/** Resource groups decide in the row's own context, not in the context of the request. */
export interface RowRights {
  readonly mayLoad: boolean;
  check(right: ResourceRight): void;
}

export async function rightsTo(work: ResourceWork, row: Pick<ResourceState, 'id' | 'context_key'>): Promise<RowRights> {
  const { caller, tx, prefix } = work;
  const decide = (right: string) =>
    decideResourceGroups(caller.snapshot, caller.principal, {
      context: row.context_key,
      permissions: [right],
      enabled: caller.resourceGroupsEnabled(row.context_key),
    });
  const load = decide('load');
  // Most sites protect nothing: then no group of the row matters.
  const rows = load.protecting.length === 0 ? [] : await documentGroups.on(tx, prefix).lookUpAll({ document: row.id });
  const groups = rows.map((one) => one.document_group);
  return {
    mayLoad: groupsAllow(load, groups),
    check(right) {
      // Keys and tokens without a user have their scopes alone.
      const isOfUser = caller.identity.kind !== 'anonymous' && caller.identity.userId !== null;
      if (!isOfUser || groupsAllow(decide(right), groups)) return;
      throw new AppError('scope_denied', {
        message: `Insufficient permissions: the resource groups of this resource do not grant ${right}`,
      });
    },
  };
}
