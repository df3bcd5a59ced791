/** Accepts the CMS's own log-in (docs/users.md#the-managers-log-in), which is read and never written. */

import { contextSetting, type LiveSnapshot } from '../../content/live/live-state.js';
import { type PhpValue, phpBytes, readPhpValue } from '../../content/rules/php-value.js';
import { makeSealer, type Sealer } from '../../crypto/seal.js';
import type { Store } from '../../store/open/open.js';
import { cmsSessions } from '../models/sessions.js';

interface CmsSessionRules {
  readonly cookieName: string;
  /** Milliseconds after the last write of a session. */
  readonly lifetimeMs: number;
  /** The log-in to this context counts, else the one to the manager. */
  readonly context: string;
}

interface CmsLogin {
  readonly userId: number;
  readonly leftMs: number;
  readonly expiresOn: number;
}

/** Only this handler keeps sessions in the table; version 2 has no namespace. */
const handlerClass = /^\\?(?:MODX\\Revolution\\)?modSessionHandler$/;
const defaultName = 'PHPSESSID';
const defaultLifetime = 604_800;
/** Ten years. A longer time means "no end", but the end of a session has to be a date. */
const longestLifetime = 315_360_000;

/** Null where the CMS keeps its sessions elsewhere, or the table is missing. */
export function cmsSessionRules(store: Pick<Store, 'tables' | 'prefix'>, live: LiveSnapshot): CmsSessionRules | null {
  const settingOf = (key: string) => contextSetting(live, 'mgr', key) ?? '';
  if (!handlerClass.test(settingOf('session_handler_class')) || !store.tables.has(`${store.prefix}session`))
    return null;
  const seconds = Number(settingOf('session_gc_maxlifetime'));
  return {
    cookieName: settingOf('session_name') || defaultName,
    lifetimeMs:
      1000 * (Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, longestLifetime) : defaultLifetime),
    context: live.settings.values.gateway_context,
  };
}

/** As long as the column holds. */
export function isCmsSessionId(text: string): boolean {
  return /^[A-Za-z0-9,-]{16,191}$/.test(text);
}

export async function findCmsLogin(
  { content, prefix, tables }: Pick<Store, 'content' | 'prefix' | 'tables'>,
  id: string,
  { lifetimeMs, context }: CmsSessionRules,
): Promise<CmsLogin | null> {
  const stored = tables.get(`${prefix}session`)?.columns.get('id');
  const found = await cmsSessions.on(content.primary, prefix).lookUpAll({ id }, { stored });
  // The CMS's collation ignores case; an id is a secret and must be the same in every letter.
  const row = found.find((one) => one.id === id);
  if (row === undefined) return null;
  const expiresOn = row.access * 1000 + lifetimeMs;
  const userId = sessionUser(sessionUsers(row.data), context);
  if (expiresOn <= row.readOn || userId === undefined) return null;
  return { userId, leftMs: expiresOn - row.readOn, expiresOn };
}

/** Reading the stored text does not give access to the session. */
export function sealCmsSession(id: string, secret: string): string {
  return cmsSessionSealer(secret).seal(id);
}

/** Also null where the secret does not open the id. */
export async function findSealedCmsLogin(
  store: Pick<Store, 'content' | 'prefix' | 'tables'>,
  { sealed, secret }: { readonly sealed: string; readonly secret: string },
  rules: CmsSessionRules,
): Promise<CmsLogin | null> {
  const opened = cmsSessionSealer(secret).unseal(sealed);
  return opened.kind === 'opened' ? findCmsLogin(store, opened.text, rules) : null;
}

function cmsSessionSealer(rootSecret: string): Sealer {
  return makeSealer({ rootSecret, purpose: 'sessions of the CMS' });
}

/** Undefined when any part is malformed (docs/reference/storage.md#sessions-of-the-cms). */
export function parsePhpSession(data: string): ReadonlyMap<string, PhpValue> | undefined {
  const bytes = phpBytes(data);
  if (bytes === undefined) return undefined;
  const variables = new Map<string, PhpValue>();
  for (let at = 0; at < bytes.length; ) {
    const bar = bytes.indexOf('|', at);
    const read = bar < 0 ? undefined : readPhpValue(bytes, bar + 1);
    if (read === undefined) return undefined;
    variables.set(Buffer.from(bytes.slice(at, bar), 'latin1').toString('utf8'), read.value);
    at = read.end;
  }
  return variables;
}

/** Context key -> id of the user. Empty for anonymous visitors and damaged data. */
export function sessionUsers(data: string | null): ReadonlyMap<string, number> {
  const users = new Map<string, number>();
  // Sessions of visitors may be large; only those that may name a user are parsed.
  if (data === null || !/modx\.user\.contextTokens\|a:0*[1-9]/.test(data)) return users;
  const tokens = parsePhpSession(data)?.get('modx.user.contextTokens');
  if (!(tokens instanceof Map)) return users;
  for (const [context, user] of tokens) {
    // Old versions stored the id as text.
    const id = typeof user === 'string' && /^\d{1,10}$/.test(user) ? Number(user) : user;
    if (typeof id === 'number' && Number.isInteger(id) && id > 0) users.set(String(context), id);
  }
  return users;
}

export function sessionUser(users: ReadonlyMap<string, number>, context: string): number | undefined {
  return users.get(context) ?? users.get('mgr');
}
