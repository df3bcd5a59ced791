/** Makes a key for `hcd key create`. */
import { resolve } from 'node:path';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { issueKey } from '../../src/identity/keys/issue-key.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { issuedRecord } from './key-record.js';
import { buildRate, type Expiry } from './parameters.js';
import { usageNotes } from './usage-notes.js';

export interface CreateOptions {
  readonly scopes: readonly string[];
  readonly name: string | undefined;
  readonly expires: Expiry | undefined;
  readonly user: string | undefined;
  readonly for: 'build' | undefined;
  readonly rateLimit: number | undefined;
  readonly rateWindow: number | undefined;
}

export async function runCreate(options: CreateOptions, deps: Deps): Promise<RecordResult> {
  const { scopes, name, expires, user } = options;
  const rateLimit = rateOf(options);
  const now = deps.clock.now();
  const expiresOn = endOf(expires, now);
  const { config } = deps.loadConfig();
  const store = await openReady(deps);
  const registry = await openRegistry(store, {
    folder: resolve(deps.cwd, config.objects_dir),
    plugins: config.plugins,
  });
  const key = await issueKey(store, {
    registry,
    scopes,
    name: name ?? null,
    expiresOn,
    username: user ?? null,
    rateLimit,
    createdBy: 'command',
    now,
  });
  return { kind: 'record', record: issuedRecord(key), notes: await usageNotes(deps, { store, registry, scopes }) };
}

function rateOf({ for: use, rateLimit, rateWindow }: CreateOptions): Parameters<typeof issueKey>[1]['rateLimit'] {
  if (use === undefined) return { max: rateLimit ?? null, windowSeconds: rateWindow ?? null };
  const own = rateLimit === undefined ? '--rate-window' : '--rate-limit';
  if (rateLimit !== undefined || rateWindow !== undefined) {
    throw usageError({ '--for': `${use} sets the rate limit; leave out ${own}, or --for` });
  }
  return buildRate;
}

/** Unix milliseconds; null = never. */
export function endOf(expires: Expiry | undefined, now: number): number | null {
  if (expires === undefined) return null;
  const end = 'atSeconds' in expires ? expires.atSeconds * 1000 : now + expires.afterSeconds * 1000;
  if (end <= now) throw usageError({ '--expires': 'must be in the future' });
  return end;
}
