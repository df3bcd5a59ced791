/** The state of a whole site, from what its servers and workers wrote and from the database itself. */
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Op } from 'sequelize';
import type { Environment } from '../../config/definitions.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { listKeys } from '../../identity/keys/manage-keys.js';
import { tokenView } from '../../identity/page-tokens/manage-tokens.js';
import { readTokenSettings } from '../../identity/page-tokens/token-settings.js';
import type { Store } from '../../store/open/open.js';
import { subscriptions } from '../../webhooks/models/subscriptions.js';
import { readOutboxState } from '../../webhooks/queue/outbox.js';
import { type Counts, type ProcessRow, readAlive, readLastPass, sumOfRequests } from '../models/processes.js';
import { readReplicas } from './replica-state.js';

interface StatusQuestion {
  readonly store: Store;
  readonly env: Environment;
  readonly readUrls: readonly string[];
  readonly file: string | null;
  readonly now: number;
}

export type SiteStatus = Awaited<ReturnType<typeof readStatus>>;

export async function readStatus({ store, env, readUrls, file, now }: StatusQuestion) {
  const own = store.own.primary;
  const alive = await readAlive(own);
  const { values } = await readRuntimeSettings(store, env);
  const { depth, oldestAgeSeconds } = await readOutboxState(own);
  return {
    servers: alive.filter(({ role }) => role === 'server'),
    workers: alive.filter(({ role }) => role === 'worker'),
    lastPassOn: await readLastPass(own),
    apis: {
      gateway: values.gateway_enabled,
      pages: values.pages_rest_api_enabled,
      banners: values.banners_api_enabled,
    },
    ...sumOf(alive),
    outbox: {
      pending: Object.values(depth).reduce((sum, count) => sum + count, 0),
      oldestAgeSeconds,
      failing: await subscriptions.on(own).count({ where: { active: true, failures: { [Op.gt]: 0 } } }),
    },
    server: { ...(await readServer(store)), replicas: await readReplicas(store, readUrls) },
    disk: file === null ? null : await readDisk(file),
    ending: await readEnding(store, { env, now }),
  };
}

function sumOf(alive: readonly ProcessRow[]): Counts {
  const counts = alive.map((one) => one.counts);
  const sum = (of: keyof Counts['cache']): number => counts.reduce((all, { cache }) => all + cache[of], 0);
  return { requests: sumOfRequests(counts), cache: { hits: sum('hits'), misses: sum('misses') } };
}

async function readServer({ content }: Store) {
  if (content.dialect === 'sqlite') {
    const [row] = await content.primary.select({ sql: 'SELECT sqlite_version()', params: [] });
    return { kind: 'sqlite', version: String(row?.[0]), galera: null };
  }
  const [row] = await content.primary.select({ sql: 'SELECT VERSION()', params: [] });
  const states = await content.primary.select({
    sql: "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_cluster_size', 'wsrep_local_state_comment')",
    params: [],
  });
  const state = new Map(states.map(([name, value]) => [String(name), String(value)]));
  const nodes = Number(state.get('wsrep_cluster_size') ?? 0);
  const galera = nodes === 0 ? null : { nodes, state: state.get('wsrep_local_state_comment') ?? '' };
  return { kind: 'mariadb', version: String(row?.[0]), galera };
}

async function readDisk(file: string) {
  const { bavail, bsize } = await statfs(dirname(file));
  const sizes = [file, `${file}-wal`].filter((path) => existsSync(path)).map(async (path) => (await stat(path)).size);
  const used = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { used_bytes: used, free_bytes: bavail * bsize };
}

/** Credentials that end within 14 days; times are Unix milliseconds. */
async function readEnding(store: Store, { env, now }: Pick<StatusQuestion, 'env' | 'now'>) {
  const keys = (await listKeys(store, now)).filter(({ state }) => state === 'expires_soon');
  const { tokens } = await readTokenSettings(store, env);
  const views = tokens.map((token) => tokenView(token, now)).filter(({ state }) => state === 'expires_soon');
  return [
    ...keys.map(({ id, name, expiresOn }) => ({ kind: 'key' as const, id, name, endsOn: expiresOn })),
    ...views.map(({ id, name, expires }) => ({ kind: 'token' as const, id, name, endsOn: expires && expires * 1000 })),
  ];
}
