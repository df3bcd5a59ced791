/** Makes a key for `hcd key create`. */
import { resolve } from 'node:path';
import { issueKey } from '../../src/services/api-keys/issue-key.js';
import { openRegistry } from '../../src/services/object-registry.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { issuedRecord } from './key-record.js';
import type { Expiry } from './parameters.js';
import { usageNotes } from './usage-notes.js';

export interface CreateOptions {
  readonly scopes: readonly string[];
  readonly name: string | undefined;
  readonly expires: Expiry | undefined;
  readonly user: string | undefined;
  readonly rateLimit: number | undefined;
  readonly rateWindow: number | undefined;
}

export async function runCreate(options: CreateOptions, deps: Deps): Promise<RecordResult> {
  const { scopes, name, expires, user, rateLimit, rateWindow } = options;
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
    rateLimit: { max: rateLimit ?? null, windowSeconds: rateWindow ?? null },
    createdBy: 'command',
    now,
  });
  return { kind: 'record', record: issuedRecord(key), notes: await usageNotes(deps, { store, registry, scopes }) };
}

/** Unix milliseconds; null = never. */
export function endOf(expires: Expiry | undefined, now: number): number | null {
  if (expires === undefined) return null;
  const end = 'atSeconds' in expires ? expires.atSeconds * 1000 : now + expires.afterSeconds * 1000;
  if (end <= now) throw usageError({ '--expires': 'must be in the future' });
  return end;
}
