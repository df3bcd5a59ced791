/** Sessions (docs/users.md#sessions): other web pages can read neither the cookie with the id nor the token for changes. */
import { AppError, Problems } from '../../errors/app-error.js';
import { jsonReply } from '../../http/answers/representation.js';
import { type Call, type Endpoint, jsonType, objectSchema, type Reply, text } from '../../http/interface/endpoint.js';
import type { Session } from '../../identity/sessions/session-service.js';
import { isJsonObject } from '../../values/json.js';
import { logInEndpoint, sessionCookie, shownCookies } from '../http/checks.js';
import type { GatewayDeps } from '../http/deps.js';
import { logInRequest } from '../http/oauth.js';
import { credentialBodyBytes } from './write-answers.js';

type SessionDeps = Pick<GatewayDeps, 'sessionService' | 'logIn'>;

/** Longer texts cannot be names or passwords, and hashing them would only cost time. */
const longest = { username: 100, password: 1024 } as const;

const sessionSchema = objectSchema({
  user: objectSchema({ id: { type: 'integer', examples: [1] }, username: { ...text, examples: ['editor'] } }),
  csrf_token: { ...text, description: 'Send it as X-CSRF-Token with POST, PUT, PATCH and DELETE' },
  expires_on: { ...text, format: 'date-time', description: 'When the session ends unless it is used before' },
  source: {
    ...text,
    enum: ['gateway', 'cms'],
    description: 'Who keeps the session: the gateway, or the manager of the CMS',
  },
});

export function sessionEndpoints(deps: SessionDeps): Endpoint[] {
  const row = { path: '/auth/session', tags: ['Sessions'], parameters: [] } as const;
  return [
    {
      ...row,
      name: logInEndpoint,
      method: 'POST',
      access: { kind: 'public' },
      summary: 'Log in with name and password',
      request: {
        types: [jsonType],
        required: true,
        maxBytes: credentialBodyBytes,
        schema: {
          ...objectSchema({
            username: { ...text, maxLength: longest.username },
            password: { ...text, maxLength: longest.password },
          }),
          additionalProperties: false,
        },
      },
      response: { status: 200, description: 'The new session; its id is in a cookie', schema: sessionSchema },
      handler: (call) => logIn(deps, call),
    },
    {
      ...row,
      name: 'auth.session.get',
      method: 'GET',
      access: { kind: 'session' },
      summary: 'Look at the session',
      response: { status: 200, description: 'The session of the cookie', schema: sessionSchema },
      handler: async (call) => presentSession(await currentSession(deps, call)),
    },
    {
      ...row,
      name: 'auth.session.delete',
      method: 'DELETE',
      access: { kind: 'session' },
      summary: 'Log out',
      response: {
        status: 200,
        description: 'The session has ended',
        schema: objectSchema({ ended: { type: 'boolean', const: true } }),
      },
      handler: (call) => logOut(deps, call),
    },
  ];
}

async function logIn(deps: SessionDeps, call: Call): Promise<Reply> {
  const { username, password } = readLogIn(call);
  const user = await deps.logIn({ username, password, request: logInRequest(call) });
  const shown = shownCookies(call) ?? { own: undefined, named: () => undefined };
  const { id, session } = await deps.sessionService.open(user, shown);
  const { csrfToken } = session.identity;
  return presentSession(session, { 'Set-Cookie': sessionCookie(call, id), 'X-CSRF-Token': csrfToken });
}

async function logOut(deps: SessionDeps, call: Call): Promise<Reply> {
  const { source } = await currentSession(deps, call);
  if (source === 'cms') {
    // Its row belongs to the CMS, which would also keep its own cookie and its locks.
    throw new AppError('conflict', { message: 'The session belongs to the CMS: log out there' });
  }
  await deps.sessionService.end(shownCookies(call) ?? { own: undefined, named: () => undefined });
  const reply = jsonReply({ data: { ended: true }, meta: {} }, { kind: 'never' });
  return { ...reply, headers: { 'Set-Cookie': sessionCookie(call, null) } };
}

async function currentSession(deps: SessionDeps, call: Call): Promise<Session> {
  const cookies = shownCookies(call);
  const session = cookies && (await deps.sessionService.find(cookies));
  if (session === null) throw new AppError('token_required', { message: 'There is no session: log in' });
  return session;
}

function presentSession(
  { source, username, identity, expiresOn }: Session,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const user = { id: identity.userId, username };
  const data = { user, csrf_token: identity.csrfToken, expires_on: expiresOn, source };
  return { ...jsonReply({ data, meta: {} }, { kind: 'never' }), headers };
}

/** Spaces may belong to a name. */
function readLogIn({ body }: Call): { readonly username: string; readonly password: string } {
  const value = body?.kind === 'json' ? body.value : null;
  const members = isJsonObject(value) ? Object.entries(value) : null;
  const problems = new Problems();
  if (members === null) problems.add('body', 'must be a JSON object with username and password');
  const given = new Map<string, unknown>(members ?? []);
  const read = (name: 'username' | 'password'): string => {
    const found = given.get(name);
    given.delete(name);
    if (typeof found === 'string' && found !== '' && [...found].length <= longest[name]) return found;
    if (members !== null) problems.add(name, `must be text of 1 to ${longest[name]} characters`);
    return '';
  };
  const credentials = { username: read('username'), password: read('password') };
  for (const name of given.keys()) problems.add(name, 'is unknown; send username and password');
  problems.throwIfAny();
  return credentials;
}
