/** A visitor's browser for the tests of sessions: keeps the cookie and the token that the gateway gives it. */
import { hashSync } from '@node-rs/bcrypt';
import type { Param } from '../../../src/store/base/database.js';
import type { Store } from '../../../src/store/open/open.js';
import { type Row, seed } from '../../support/seed.js';
import { type TestSite, wholeAnswer } from '../../support/site.js';

export interface Asked {
  readonly method?: string;
  /** Instead of what the visitor keeps; null sends none. */
  readonly cookie?: string | null;
  readonly csrf?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface SessionData {
  readonly user: { readonly id: number; readonly username: string };
  readonly csrf_token: string;
  readonly expires_on: string;
  readonly source: string;
}

export class Visitor {
  /** `name=value`, as the gateway set it last. */
  cookie: string | null = null;
  csrf: string | null = null;
  readonly #site: TestSite;

  constructor(site: TestSite) {
    this.#site = site;
  }

  async ask(path: string, asked: Asked = {}): Promise<Reply> {
    const { cookie = this.cookie, csrf = this.csrf, json, headers = {} } = asked;
    const response = await fetch(`${this.#site.url}/api/v1${path}`, {
      method: asked.method ?? 'GET',
      headers: {
        ...wholeAnswer(path),
        ...(cookie === null ? {} : { cookie }),
        ...(csrf === null ? {} : { 'x-csrf-token': csrf }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : { text },
    };
  }

  /** Logs in and keeps what is given; the whole answer. */
  async logIn(username: string, asked: Asked & { readonly password?: string } = {}): Promise<Reply> {
    const { password = passwordOf(username), ...rest } = asked;
    const asking = { method: 'POST', csrf: null, json: { username, password } };
    const reply = await this.ask('/auth/session', { ...asking, ...rest });
    if (reply.status === 200) {
      this.cookie = setCookieOf(reply).split(';')[0] ?? '';
      this.csrf = sessionOf(reply).csrf_token;
    }
    return reply;
  }
}

/** What an error says. */
export function problem({ status, code, detail }: Record<string, unknown>) {
  return { status, code, detail };
}

const refusal = 'Cross-origin request refused: the origin is not allowed';
export const foreign = { status: 403, code: 'scope_denied', detail: refusal };

export function setCookieOf({ headers }: Reply): string {
  return headers.getSetCookie().join(' and ');
}

export function sessionOf({ body }: Reply): SessionData {
  return body['data'] as SessionData;
}

export function passwordOf(username: string): string {
  return `the password of ${username}`;
}

/** A row of `users` with that password, at the lowest cost: a log-in does as much work as the dearest hash of the site. */
export function userRow(user: Row & { readonly id: number; readonly username: string }): Row {
  const password = hashSync(passwordOf(user.username), 4);
  return { password, hash_class: 'MODX\\Revolution\\Hashing\\modNative', ...user };
}

/**
 * A group for each user, with a policy that gives its permissions in `web`. Ids begin at 100, above whatever the
 * migrations put there.
 */
export async function grant(store: Store, rights: Readonly<Record<number, readonly string[]>>): Promise<void> {
  const entries = Object.entries(rights).map(([user, permissions]) => ({ id: 100 + Number(user), user, permissions }));
  const rows = (make: (entry: (typeof entries)[number]) => Readonly<Record<string, Param>>) => entries.map(make);
  await seed(store, {
    membergroup_names: rows(({ id, user }) => ({ id, name: `group of ${user}` })),
    member_groups: rows(({ id, user }) => ({ user_group: id, member: Number(user), role: 1 })),
    access_policies: rows(({ id, user, permissions }) => ({
      id,
      name: `policy of ${user}`,
      data: JSON.stringify(Object.fromEntries(permissions.map((permission) => [permission, true]))),
    })),
    access_context: rows(({ id }) => ({
      target: 'web',
      principal_class: 'MODX\\Revolution\\modUserGroup',
      principal: id,
      authority: 9999,
      policy: id,
    })),
  });
}
