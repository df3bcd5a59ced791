/** Users of the CMS with their profiles. */

import { Op } from 'sequelize';
import { users } from '../../content/models/access.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { flag, fromNow, id, integer, key, named, text, time, withDefaults } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import type { Store } from '../../store/open/open.js';

/** Times are Unix seconds; 0 = not set. */
export const profiles = defineModel('user_attributes', {
  id: id(),
  userId: named('internalKey', integer()),
  ...withDefaults({
    fullName: named('fullname', text(100)),
    email: text(100),
    blocked: flag(),
    blockedUntil: named('blockeduntil', integer()),
    blockedAfter: named('blockedafter', integer()),
    logInCount: named('logincount', integer()),
    earlierLogIn: named('lastlogin', integer()),
    lastLogIn: named('thislogin', integer()),
    failedLogIns: named('failedlogincount', integer()),
  }),
  address: text(),
  comment: text(),
});

export const userSettings = defineModel('user_settings', withDefaults({ user: key(integer()), key: key(text(50)) }));

const standing = ['blocked', 'blockedUntil', 'blockedAfter'] as const;

/** A user without a profile cannot be blocked. */
export type UserStanding = Pick<RowOf<typeof users>, 'active'> &
  Pick<RowOf<typeof profiles>, (typeof standing)[number]>;

export type UserRow = Pick<RowOf<typeof users>, 'id' | 'username' | 'hash'> & UserStanding;

const noProfile = { blocked: false, blockedUntil: 0, blockedAfter: 0 };

export async function findUsers(reader: Reader, prefix: string, ids: readonly number[]): Promise<UserRow[]> {
  const [found, standings] = await Promise.all([
    users.on(reader, prefix).lookUpAll({ id: ids }, { attributes: ['id', 'username', 'hash', 'active'] }),
    profiles.on(reader, prefix).lookUpAll({ userId: ids }, { attributes: ['userId', ...standing] }),
  ]);
  return found.map((user) => ({ ...noProfile, ...standings.find(({ userId }) => userId === user.id), ...user }));
}

const account = ['id', 'username', 'active', 'sudo', 'createdOn'] as const;
const ofProfile = [...standing, 'fullName', 'email', 'lastLogIn'] as const;

export type Account = Pick<RowOf<typeof users>, (typeof account)[number]> &
  Pick<RowOf<typeof profiles>, (typeof ofProfile)[number]>;

export async function findAccounts(reader: Reader, prefix: string): Promise<Account[]> {
  const [found, known] = await Promise.all([
    users.on(reader, prefix).lookUpAll({}, { attributes: account, order: ['id'] }),
    profiles.on(reader, prefix).lookUpAll({}, { attributes: ['userId', ...ofProfile] }),
  ]);
  const byUser = new Map(known.map(({ userId, ...profile }) => [userId, profile]));
  const nothing = { ...noProfile, fullName: '', email: '', lastLogIn: 0 };
  return found.map((user) => ({ ...nothing, ...byUser.get(user.id), ...user }));
}

/** The collation of the CMS ignores case and accents, so names are compared again. */
export async function findUserByName(
  reader: Reader,
  { prefix, tables }: Pick<Store, 'prefix' | 'tables'>,
  username: string,
): Promise<RowOf<typeof users> | null> {
  const stored = tables.get(`${prefix}users`)?.columns.get('username');
  const found = await users.on(reader, prefix).lookUpAll({ username }, { stored });
  return found.find((user) => user.username === username) ?? null;
}

/** One head (scheme and cost, up to the salt) for each cost in use. */
export async function readSlowHashHeads(reader: Reader, prefix: string): Promise<string[]> {
  // A bcrypt hash has 60 characters. Character 17 of an argon2 hash is within its cost, which ends with the next `$`.
  const argon2 = "SUBSTR(`password`, 1, 15 + INSTR(SUBSTR(`password`, 17), '$'))";
  const rows = await reader.select({
    sql: `SELECT DISTINCT CASE WHEN \`password\` LIKE '$2%' THEN SUBSTR(\`password\`, 1, 6) ELSE ${argon2} END FROM \`${prefix}users\` WHERE (\`password\` LIKE '$2%' AND LENGTH(\`password\`) = 60) OR \`password\` LIKE '$argon2%'`,
    params: [],
    heavy: true,
  });
  return rows.map(([head]) => String(head));
}

export const loginNetworks = defineModel('hcd_login_networks', { pairHash: key(text(64)), endsOn: time() });

/** Digests of a user with a network from which a log-in succeeded recently. */
export async function isLoginNetwork(reader: Reader, pairHash: string): Promise<boolean> {
  return (await loginNetworks.on(reader).count({ where: { pairHash, endsOn: { [Op.gt]: fromNow(reader) } } })) > 0;
}

export function removeEndedLoginNetworks(tx: Tx, limit: number): Promise<number> {
  return loginNetworks.on(tx).destroy({ where: { endsOn: { [Op.lte]: fromNow(tx) } }, limit });
}
