/** One caller of each kind that the gateway knows, with the headers by which it shows who it is. */
import { buildRegistry } from '../../src/content/objects/core-objects.js';
import { issueKey } from '../../src/identity/keys/manage-keys.js';
import { addClient } from '../../src/identity/oauth/manage-clients.js';
import { addUser, changePassword } from '../../src/identity/users/manage-users.js';
import { generatePassword } from '../../src/identity/users/new-password.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { prefix } from '../generate.js';
import { basePath } from '../record.js';

/** Headers by the name of the caller. */
export type Callers = ReadonlyMap<string, Readonly<Record<string, string>>>;

const registry = buildRegistry([]);
const username = 'bench';
const scopes = ['resources.read'];
const unlimited = { max: null, windowSeconds: null };
const createdBy = 'bench';

/** Makes the credentials in the site, and those that only a server gives at the port. A user who is left gets a new password. */
export async function makeCallers({ databaseUrl, port }: { databaseUrl: string; port: number }): Promise<Callers> {
  const base = `http://127.0.0.1:${port}${basePath}`;
  const store = await openStore({ databaseUrl, prefix });
  try {
    const now = Date.now();
    const password = await makeUser(store, now);
    const asked = { registry, scopes, name: 'bench', expiresOn: null, rateLimit: unlimited, createdBy, now };
    const key = await issueKey(store, { ...asked, username: null });
    const ofUser = await issueKey(store, { ...asked, username });
    const clientId = `bench-${now}`;
    const grants = ['client_credentials'] as const;
    const client = { registry, clientId, name: null, scopes, grants, rateLimit: unlimited, createdBy, now };
    const { clientSecret } = await addClient(store, client);
    return new Map([
      ['API key', bearer(key.key)],
      ['API key of a user', bearer(ofUser.key)],
      ['access token', bearer(await askToken(base, { clientId, clientSecret }))],
      ['session', { Cookie: await askSession(base, password) }],
    ]);
  } finally {
    await store.close();
  }
}

/** Gives the password. */
async function makeUser(store: Store, now: number): Promise<string> {
  const password = generatePassword();
  const rights = { sudo: false, permissions: ['resources.read'], fullName: '', email: '', context: 'web' };
  await addUser(store, { registry, username, password, now, ...rights }).catch(() =>
    changePassword(store, { username, password, now }),
  );
  return password;
}

async function askToken(base: string, client: { clientId: string; clientSecret: string }): Promise<string> {
  const body = new URLSearchParams({
    ...{ grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.clientSecret },
  });
  const text = await (await fetch(`${base}/auth/token`, { method: 'POST', body })).text();
  const { access_token: token }: { access_token: string } = JSON.parse(text);
  return token;
}

/** The cookie as a browser sends it. */
async function askSession(base: string, password: string): Promise<string> {
  const response = await fetch(`${base}/auth/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

function bearer(credential: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${credential}` };
}
