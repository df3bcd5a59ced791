/** Users of the content system with their profiles, for those who administer them. Passwords are in user-passwords.ts. */
import type { RawRow, Reader, Tx } from '../../store/base/database.js';
import { insertValues } from '../../store/base/insert-values.js';
import type { UserRow } from './users.js';

export interface AccountRow extends UserRow {
  readonly sudo: boolean;
  readonly fullName: string;
  readonly email: string;
  /** Unix seconds; 0 = never. */
  readonly lastLogIn: number;
  /** Unix seconds; 0 = not known. */
  readonly createdOn: number;
}

const columns = [
  'u.`id`',
  'u.`username`',
  'u.`active`',
  'a.`blocked`',
  'a.`blockeduntil`',
  'a.`blockedafter`',
  'u.`sudo`',
  'a.`fullname`',
  'a.`email`',
  'a.`thislogin`',
  'u.`createdon`',
].join(', ');

/** All users, by id. */
export async function readAccounts(db: Reader, prefix: string): Promise<AccountRow[]> {
  const rows = await db.select({
    sql: `SELECT ${columns} FROM \`${prefix}users\` u LEFT JOIN \`${prefix}user_attributes\` a ON a.\`internalKey\` = u.\`id\` ORDER BY u.\`id\``,
    params: [],
  });
  return rows.map(decodeAccount);
}

/** Whether the users of the site are of version 3 of the CMS, whose class names have a namespace; also without users. */
export async function hasNamespacedUsers(db: Reader, prefix: string): Promise<boolean> {
  const rows = await db.select({
    sql: `SELECT \`class_key\` FROM \`${prefix}users\` ORDER BY \`id\` LIMIT 50`,
    params: [],
  });
  return rows.length === 0 || rows.some(([name]) => String(name).includes('\\'));
}

export interface NewAccount {
  readonly username: string;
  readonly hash: string;
  readonly hashClass: string;
  readonly classKey: string;
  readonly sudo: boolean;
  readonly fullName: string;
  readonly email: string;
  /** Group that the CMS shows first; 0 = none. */
  readonly primaryGroup: number;
  /** Unix seconds. */
  readonly createdOn: number;
}

/** Adds a user with a profile and gives the id. Throws conflict when the name is taken. */
export async function insertAccount(tx: Tx, prefix: string, account: NewAccount): Promise<number> {
  const id = await insertValues(tx, `${prefix}users`, {
    username: account.username,
    password: account.hash,
    cachepwd: '',
    class_key: account.classKey,
    active: 1,
    hash_class: account.hashClass,
    salt: '',
    primary_group: account.primaryGroup,
    sudo: account.sudo ? 1 : 0,
    createdon: account.createdOn,
  });
  const { fullName: fullname, email } = account;
  // Two columns of the profile have no default.
  await insertValues(tx, `${prefix}user_attributes`, { internalKey: id, fullname, email, address: '', comment: '' });
  return id;
}

/** Removes a user with everything that belongs to this user alone: profile, memberships, settings. */
export async function removeAccount(tx: Tx, prefix: string, id: number): Promise<void> {
  for (const [table, column] of [
    ['member_groups', 'member'],
    ['user_settings', 'user'],
    ['user_attributes', 'internalKey'],
    ['users', 'id'],
  ]) {
    await tx.run({ sql: `DELETE FROM \`${prefix}${table}\` WHERE \`${column}\` = ?`, params: [id] });
  }
}

function decodeAccount([id, username, active, blocked, blockedUntil, blockedAfter, ...rest]: RawRow): AccountRow {
  const [sudo, fullName, email, lastLogIn, createdOn] = rest;
  return {
    id: Number(id),
    username: String(username),
    active: Number(active) === 1,
    blocked: Number(blocked ?? 0) !== 0,
    blockedUntil: Number(blockedUntil ?? 0),
    blockedAfter: Number(blockedAfter ?? 0),
    sudo: Number(sudo) === 1,
    fullName: String(fullName ?? ''),
    email: String(email ?? ''),
    lastLogIn: Number(lastLogIn ?? 0),
    createdOn: Number(createdOn ?? 0),
  };
}
