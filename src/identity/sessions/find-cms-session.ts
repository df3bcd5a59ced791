/**
 * The content system's own log-in as a session here (docs/sessions.md#the-managers-log-in): honoured while the CMS
 * keeps its sessions in the database, read and never written. What ends it there ends it here.
 */

import { contextSetting, type LiveSnapshot } from '../../content/live/live-state.js';
import type { Store } from '../../store/open/open.js';
import { readCmsSession } from '../rows/cms-sessions.js';
import { sessionUser, sessionUsers } from './php-session.js';

/** Of the CMS's settings, those that say where its sessions are. */
export interface CmsSessionRules {
  readonly cookieName: string;
  /** Milliseconds after which a session that was not written has ended. */
  readonly lifetimeMs: number;
  /** Whose log-in counts: that of this context, else that of the manager. */
  readonly context: string;
}

export interface CmsLogin {
  readonly userId: number;
  readonly leftMs: number;
  /** Unix milliseconds. */
  readonly expiresOn: number;
}

/** Sessions are in the table only with this handler; version 2 has no namespace. */
const handlerClass = /^\\?(?:MODX\\Revolution\\)?modSessionHandler$/;
const defaultName = 'PHPSESSID';
/** Seconds. */
const defaultLifetime = 604_800;
/** Ten years: whoever writes more means "for ever", and the end of a session has to be a time that can be told. */
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

/** The form of PHP's session ids, as long as the column holds. */
export function isCmsSessionId(text: string): boolean {
  return /^[A-Za-z0-9,-]{16,191}$/.test(text);
}

/** Who is logged in by the session with this id; null for nobody. */
export async function findCmsLogin(
  { content, prefix, tables }: Pick<Store, 'content' | 'prefix' | 'tables'>,
  id: string,
  { lifetimeMs, context }: CmsSessionRules,
): Promise<CmsLogin | null> {
  const column = tables.get(`${prefix}session`)?.columns.get('id') ?? { charset: null, collation: null };
  const row = await readCmsSession(content.primary, prefix, { id, column });
  if (row === null || row.ageMs >= lifetimeMs) return null;
  const userId = sessionUser(sessionUsers(row.data), context);
  if (userId === undefined) return null;
  return { userId, leftMs: lifetimeMs - row.ageMs, expiresOn: row.accessedOn + lifetimeMs };
}
