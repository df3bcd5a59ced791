/** Sessions in the table of the CMS, as it writes them. */
import type { Store } from '../../../src/store/open/open.js';
import { seed } from '../../support/seed.js';

/** The value of `session_handler_class` with which sessions are in that table. */
export const cmsSessionHandler = 'MODX\\Revolution\\modSessionHandler';

/** Seconds of the database's clock. */
async function databaseTime({ content }: Store): Promise<number> {
  const sql = content.dialect === 'mariadb' ? 'SELECT UNIX_TIMESTAMP()' : 'SELECT unixepoch()';
  const [row] = await content.select({ sql, params: [] });
  return Number(row?.[0]);
}

export async function putSession(
  store: Store,
  session: { readonly id: string; readonly data: string; readonly age?: number },
): Promise<void> {
  const access = (await databaseTime(store)) - (session.age ?? 0);
  await seed(store, { session: [{ id: session.id, access, data: session.data }] });
}

/** What PHP writes for these log-ins. */
export function loggedIn(users: Readonly<Record<string, number>>): string {
  const entries = Object.entries(users).map(([context, user]) => `s:${context.length}:"${context}";i:${user};`);
  return `modx.user.contextTokens|a:${entries.length}:{${entries.join('')}}`;
}
