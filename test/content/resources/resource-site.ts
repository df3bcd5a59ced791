/** A store with the write services of resources on it, for tests: mutations run as they do behind the gateway. */
import { anonymousPrincipal, type Principal } from '../../../src/access/acl.js';
import type { Identity } from '../../../src/access/identity.js';
import { systemClock } from '../../../src/clock/clock.js';
import { administrator } from '../../../src/content/live/administrator.js';
import type { Mutation } from '../../../src/content/live/mutation.js';
import { openSite } from '../../../src/content/live/site.js';
import { setContextSetting, setSystemSetting } from '../../../src/content/models/settings.js';
import { type ContentWriter, runMutation, type Write } from '../../../src/content/mutations/run-mutation.js';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import type { ObjectDefinition } from '../../../src/content/objects/definition.js';
import type { JsonValue } from '../../../src/content/objects/values.js';
import type { Caller } from '../../../src/content/query/authorize.js';
import { createResource } from '../../../src/content/resources/create-resource.js';
import { removeResource } from '../../../src/content/resources/remove-resource.js';
import { type ResourceUpdate, updateResource } from '../../../src/content/resources/update-resource.js';
import type { RawValue, Tx } from '../../../src/store/base/database.js';
import type { Store } from '../../../src/store/open/open.js';
import { atFileEnd } from '../../support/at-file-end.js';
import { execute } from '../../support/execute.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';

export type Values = Readonly<Record<string, JsonValue>>;
type Tvs = Readonly<Record<string, string>>;

export interface AskedBy {
  readonly as?: (site: ResourceSite) => Caller;
  /** The context that the request names. */
  readonly context?: string;
}

export interface ResourceSite {
  readonly store: Store;
  readonly writer: ContentWriter;
  readonly announced: Mutation[];
  /** The clock, in Unix seconds. */
  now: number;
  create(values: Values, options?: AskedBy & { tvs?: Tvs }): Promise<Mutation>;
  update(
    id: number,
    values: Values,
    options?: AskedBy & { tvs?: Tvs; guard?: ResourceUpdate['guard'] },
  ): Promise<Mutation>;
  remove(id: number, options?: AskedBy & { force?: boolean }): Promise<Mutation & { readonly permanent: boolean }>;
  /** Does the work with its n-th statement failing; without effect in any case. */
  failing(count: number, work: (on: ResourceSite) => Promise<unknown>): Promise<'failed' | 'complete'>;
  /** Columns of the row as they are stored; undefined without one. */
  row(id: number, columns?: readonly string[]): Promise<Record<string, RawValue> | undefined>;
  select(sql: string): Promise<readonly (readonly RawValue[])[]>;
  execute(...statements: string[]): Promise<void>;
  set(settings: Readonly<Record<string, string>>, context?: string): Promise<void>;
  /** A user's caller; a bound key. */
  caller(options: { scopes?: readonly string[]; user?: Principal; identity?: Identity }): Caller;
}

export interface ResourceSiteOptions {
  readonly databaseUrl: string;
  readonly ownDatabaseUrl?: string;
  readonly extra?: readonly ObjectDefinition[];
}

export async function openResourceSite({ extra = [], ...target }: ResourceSiteOptions): Promise<ResourceSite> {
  const store = await openMigrated({ ...target, prefix: 'modx_', limits: patientLimits });
  atFileEnd(() => store.close());
  const { live, reader } = await openSite({
    store,
    registry: buildRegistry(extra),
    env: {},
    clock: systemClock,
    log: () => {},
    secret: 'a root secret for tests, long enough',
  });
  const announced: Mutation[] = [];
  const faults: Faults = { left: null };
  const run = <T extends Mutation>({ as, context }: AskedBy, work: (write: Write) => Promise<T>): Promise<T> =>
    runMutation<T>({
      store,
      seal: null,
      listeners: { announce: async () => {}, committed: async (mutation) => void announced.push(mutation) },
      work: async (tx) => {
        const caller = as ? as(site) : administrator(live.current());
        const mutation = await work({
          tx: faults.left === null ? tx : failingTx(tx, faults),
          writer: site.writer,
          caller,
          context: context ?? 'web',
          namesContext: context !== undefined,
        });
        if (faults.left !== null) throw new InjectedFault('complete');
        return { mutation, result: mutation };
      },
    });
  const site: ResourceSite = {
    store,
    announced,
    now: 1_800_000_000,
    writer: {
      store,
      registry: reader.registry,
      reader,
      live: () => live.current(),
      now: () => site.now * 1000 + 250,
      listeners: { announce: async () => {}, committed: async () => {} },
    },
    create: (values, { tvs = null, ...by }: AskedBy & { tvs?: Tvs | null } = {}) =>
      run(by, (write) => createResource(write, { values, tvs })),
    update: (
      id,
      values,
      { tvs = null, guard, ...by }: AskedBy & { tvs?: Tvs | null; guard?: ResourceUpdate['guard'] } = {},
    ) => run(by, (write) => updateResource(write, id, { values, tvs, ...(guard ? { guard } : {}) })),
    async remove(id, { force = false, ...by } = {}) {
      const mutation = await run(by, (write) => removeResource(write, id, { force }));
      return { ...mutation, permanent: mutation.rows[0]?.after === null };
    },
    async failing(count, work) {
      faults.left = count;
      try {
        await work(site);
      } catch (error) {
        if (error instanceof InjectedFault) return error.outcome;
        throw error;
      } finally {
        faults.left = null;
      }
      throw new Error('the fault was swallowed');
    },
    async row(id, columns) {
      const names = columns ?? [...(store.tables.get('modx_site_content')?.columns.keys() ?? [])];
      const [row] = await store.content.select({
        sql: `SELECT ${names.map((name) => `\`${name}\``).join(', ')} FROM modx_site_content WHERE id = ?`,
        params: [id],
      });
      return row && Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]));
    },
    select: (sql) => store.content.select({ sql, params: [] }),
    async execute(...statements) {
      await execute(store.content, ...statements);
      await live.refresh();
    },
    async set(settings, context) {
      await store.content.write(async (tx) => {
        for (const [key, value] of Object.entries(settings)) {
          const setting = { key, value, kind: 'text' } as const;
          if (context === undefined) await setSystemSetting(tx, 'modx_', setting);
          else await setContextSetting(tx, 'modx_', { ...setting, contextKey: context });
        }
      });
      await live.refresh();
    },
    caller({ scopes = ['*'], user, identity }) {
      const snapshot = live.current();
      return {
        ...administrator(snapshot),
        identity: identity ?? { kind: 'api_key', id: 'k', scopes: new Set(scopes), userId: user?.userId ?? null },
        principal: user ?? anonymousPrincipal,
        allowedContexts: snapshot.settings.values.gateway_allowed_contexts,
        resourceGroupsEnabled: () => true,
        categoriesEnabled: () => true,
      };
    },
  };
  return site;
}

/** Statements until one fails; null = none does. */
interface Faults {
  left: number | null;
}

class InjectedFault extends Error {
  constructor(readonly outcome: 'failed' | 'complete') {
    super(outcome);
  }
}

function failingTx(tx: Tx, faults: Faults): Tx {
  const count = () => {
    faults.left = (faults.left ?? 0) - 1;
    if (faults.left === 0) throw new InjectedFault('failed');
  };
  return {
    dialect: tx.dialect,
    async select(statement) {
      count();
      return tx.select(statement);
    },
    async run(statement) {
      count();
      return tx.run(statement);
    },
    async query(table, work) {
      count();
      return tx.query(table, work);
    },
  };
}

/** The `errors` of a refused mutation. */
export async function problemsOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error && 'details' in error) {
      const { details } = error as { details: { fields?: unknown } };
      if (details.fields) return details.fields;
    }
    throw error;
  }
  throw new Error('the mutation was not refused');
}

/** What the CMS writes for a resource of which nothing is given. */
export const newRow = {
  ...{
    type: 'document',
    longtitle: '',
    description: '',
    link_attributes: '',
    published: 0,
    pub_date: 0,
    unpub_date: 0,
  },
  ...{ parent: 0, isfolder: 0, introtext: null, content: null, richtext: 1, template: 0, searchable: 1, cacheable: 1 },
  ...{ createdby: 0, editedby: 0, editedon: 0, deleted: 0, deletedon: 0, deletedby: 0, publishedon: 0, publishedby: 0 },
  ...{ menutitle: '', content_dispo: 0, hidemenu: 0, context_key: 'web', content_type: 1, uri_override: 0 },
  ...{ hide_children_in_tree: 0, show_in_tree: 1, properties: null, alias_visible: 1 },
};
