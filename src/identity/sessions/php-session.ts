/**
 * Reads what the CMS keeps of a login in its sessions table (docs/reference/storage.md#sessions-of-the-content-system):
 * PHP's session format, in which keys and serialized values follow one another without separators. Damaged data means
 * that no user is logged in.
 */
import { type PhpValue, phpBytes, readPhpValue } from '../../content/rules/php-value.js';

/** All variables of a session, or undefined when any part is malformed. */
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

/** Context key -> id of the user logged in there. Empty for anonymous visitors and for damaged data. */
export function sessionUsers(data: string | null): ReadonlyMap<string, number> {
  const users = new Map<string, number>();
  // Visitors have sessions of any size; only those that may name a user are worth reading through.
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

/** The user of a request to this context: its own login, else that of the manager. */
export function sessionUser(users: ReadonlyMap<string, number>, context: string): number | undefined {
  return users.get(context) ?? users.get('mgr');
}
