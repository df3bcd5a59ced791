/** Opens a site for serving: live settings and rights, and the reader of all read services. */
import type { Principal } from '../../access/acl.js';
import type { Clock } from '../../clock/clock.js';
import type { Environment } from '../../config/definitions.js';
import { hmacSha256Base64Url, hmacSha256Hex } from '../../crypto/primitives.js';
import type { Log } from '../../log/observation.js';
import { knownMark, rememberVerified } from '../../memory/seen-memory.js';
import type { ReplicaGate } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { Store } from '../../store/open/open.js';
import { contentGenerationStatement, rootSecret } from '../../store/state/state.js';
import { storedForms } from '../../values/double-encoding.js';
import { derived, perObject } from '../../values/kept-values.js';
import { readPrincipal } from '../models/access.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';
import type { SqlTable } from '../query/sql-statement.js';
import { Counts } from '../reading/counts.js';
import type { ContentReader, SiteFacts } from '../reading/select-rows.js';
import { sitePlace } from '../rules/site-address.js';
import { type ChangedRow, changedRows } from './content-change.js';
import { contextSetting, LiveState, mediaOf } from './live-state.js';

/** Milliseconds of reading from the primary after a change that replicas do not number. */
const longestLag = 5000;

export interface SiteOptions {
  readonly store: Store;
  readonly registry: Registry;
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Log;
  /** The configured root secret; null = the one kept in the database, made on first use. */
  readonly secret: string | null;
  /** What is known of pictures that this server has, and where it serves its files. */
  readonly files?: (Required<Pick<ContentReader, 'pictures' | 'filesDir'>> & { readonly base: string }) | null;
}

export interface Site {
  readonly live: LiveState;
  readonly reader: ContentReader;
  readonly principal: (userId: number) => Promise<Principal | null>;
  /** Keyed digest of a text for one purpose, equal in every process of the site. */
  readonly sign: (purpose: string, text: string) => string;
  readonly onContentChange: (listener: (rows: readonly ChangedRow[] | 'everything') => void) => void;
}

export async function openSite(options: SiteOptions): Promise<Site> {
  const { store, registry, env, clock, log } = options;
  const { content, own, prefix } = store;
  const filesBase = options.files?.base;
  const live = new LiveState({ content, own, prefix, env, clock, log, filesBase });
  await live.refresh();
  const secret = options.secret ?? (await rootSecret(store));
  const totals = new Counts<number>(clock.elapsed);
  live.onChange(() => totals.clear('all'));
  const media = derived(() => live.current(), mediaOf);
  const reader: ContentReader = {
    db: content.replicas?.(replicaGate(store, { live, clock })) ?? content,
    prefix,
    words: own === content ? null : own,
    dialect: { ...dialectOf(content.dialect), ...(content.repairsTexts ? { formsOf: storedForms } : {}) },
    registry,
    table: perObject((definition) => sqlTable(store, definition)),
    totals,
    samples: new Counts(clock.elapsed),
    sign: (text) => hmacSha256Base64Url(secret, `cursor:${text}`),
    mediaUrl: (value) => media().urlOf(value, media().sourceOf(0)),
    site: siteFacts(live, { hasFiles: filesBase !== undefined }),
    ...(options.files ? { pictures: options.files.pictures, filesDir: options.files.filesDir } : {}),
  };
  const listeners: Parameters<Site['onContentChange']>[0][] = [];
  const onContentChange: Site['onContentChange'] = (listener) => void listeners.push(listener);
  live.changes.onChange((rows) => {
    const changed = (rows === 'everything' ? null : changedRows(reader, rows)) ?? 'everything';
    for (const listener of listeners) listener(changed);
  });
  onContentChange((rows) => totals.clear(rows === 'everything' ? 'all' : new Set(rows.map(({ set }) => set))));
  const principalBy = rememberVerified<Principal>({ own, mark: knownMark(content.primary), clock });
  return {
    live,
    reader,
    principal: async (userId) =>
      principalBy(`${userId}`, async () => {
        const value = await readPrincipal(content.primary, prefix, userId);
        return value === null ? null : { value, endsOn: Number.POSITIVE_INFINITY };
      }),
    sign: (purpose, text) => hmacSha256Hex(secret, `${purpose}:${text}`),
    onContentChange,
  };
}

/** Content is read from a replica with every change known here, by its generation or, without one, after a while. */
export function replicaGate(
  { own, content }: Pick<Store, 'own' | 'content'>,
  { live, clock }: { readonly live: LiveState; readonly clock: Pick<Clock, 'elapsed'> },
): ReplicaGate {
  const isTogether = own === content;
  let changedAt = Number.NEGATIVE_INFINITY;
  live.changes.onChange(() => {
    changedAt = clock.elapsed();
  });
  return {
    wanted() {
      if (isTogether) return live.changes.newest();
      return clock.elapsed() - changedAt < longestLag ? null : 0;
    },
    reached: contentGenerationStatement,
  };
}

function sqlTable({ content, tables, prefix }: Store, definition: ObjectDefinition): SqlTable {
  const name = definition.prefixed ? `${prefix}${definition.table}` : definition.table;
  const columns = tables.get(name)?.columns;
  return {
    name,
    documentGroups: `${prefix}document_groups`,
    indexes: tables.get(name)?.indexes ?? [],
    hasColumn: (column) => columns?.has(column) ?? true,
    mayHoldNull: (column) => columns?.get(column)?.nullable ?? true,
    isExact: (column) => columns?.get(column)?.isExact ?? false,
    candidateMark: (column) => {
      const found = columns?.get(column);
      return found ? dialectOf(content.dialect).candidateMark(found) : '?';
    },
  };
}

function siteFacts(live: LiveState, { hasFiles }: { readonly hasFiles: boolean }): SiteFacts {
  const setting = (context: string, key: string) => contextSetting(live.current(), context, key);
  return {
    setting,
    place: (context) => sitePlace((key) => setting(context, key), live.current().settings.values.media_public_url),
    linkSettings: () => live.current().settings.values.gateway_link_settings,
    resolvedChunks: () => live.current().settings.values.gateway_resolve_chunks,
    mediaSourceOf(tv, context) {
      const { tvSources, mediaSources } = live.current();
      const linked = tvSources.get(context)?.get(tv);
      // Outside a CMS there is no other place where the file could be.
      const id = linked ?? (hasFiles ? Number(setting(context, 'default_media_source') ?? 1) : undefined);
      return id === undefined ? undefined : mediaSources.find((source) => source.id === id);
    },
  };
}
