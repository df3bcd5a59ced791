/** Every refusal of the token endpoints: exact status, code, RFC 6749 error and headers (docs/oauth.md#refusals). */
import { STATUS_CODES } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { sendRaw } from '../../support/raw-socket.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const password = 'a long enough one';
const on = { HCD_GATEWAY_OAUTH_ENABLED: '1' };
const basicChallenge = 'Basic realm="gateway", charset="UTF-8"';

interface Sent {
  readonly path?: string;
  readonly type?: string | null;
  readonly body?: string;
  /** User and password of HTTP Basic as they are joined and encoded. */
  readonly basic?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Refused = readonly [status: number, code: string, error: string];

let db: CliDatabase;
let site: TestSite;
/** The same with the grant password. */
let people: TestSite;
let secret: string;
let revokedSecret: string;
let usersSecret: string;

beforeAll(async () => {
  db = await prepareCliDatabase(await freshSqliteUrl());
  const add = async (id: string, flags = ''): Promise<string> => {
    const made = await db.json(`oauth client add ${id} --scopes resources.read,chunks.read ${flags}`);
    return (made as { data: { client_secret: string } }).data.client_secret;
  };
  secret = await add('website');
  revokedSecret = await add('gone');
  await add('people', '--grants password');
  usersSecret = await add('users', '--grants password,client_credentials');
  await db.run('oauth client revoke gone --yes');
  for (const name of ['rowan', 'away']) await db.run(`user add ${name} --password-stdin`, { stdin: password });
  site = await startTestSite({ databaseUrl: db.url, env: on });
  people = await startTestSite({ databaseUrl: db.url, env: { ...on, HCD_GATEWAY_OAUTH_PASSWORD_GRANT_ENABLED: '1' } });
  await site.change(["UPDATE modx_users SET active = 0 WHERE username = 'away'"]);
});

// No case pays for the failures of the others.
beforeEach(() => site.change(['DELETE FROM hcd_rate_counters']));

async function send(sent: Sent, to = site) {
  const { path = '/auth/token', type = form, body = '', basic, headers = {} } = sent;
  const fill = (text: string) =>
    text.replaceAll('USERS', usersSecret).replaceAll('SECRET', secret).replaceAll('REVOKED', revokedSecret);
  const user = basic && fill(basic);
  const response = await fetch(`${to.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      ...(type === null ? {} : { 'content-type': type }),
      ...(user === undefined ? {} : { authorization: `Basic ${Buffer.from(user, 'latin1').toString('base64')}` }),
      ...headers,
    },
    body: Buffer.from(fill(body), 'latin1'),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const client = 'client_id=website&client_secret=SECRET';
const grant = 'grant_type=client_credentials';
const [revoke, introspect] = ['/auth/revoke', '/auth/introspect'];
const wrong = 'client_id=website&client_secret=x';
const invalidRequest: Refused = [400, 'bad_request', 'invalid_request'];
const invalidClient: Refused = [400, 'invalid_grant', 'invalid_client'];
const wrongBasic: Refused = [401, 'invalid_grant', 'invalid_client'];
const invalidScope: Refused = [400, 'invalid_grant', 'invalid_scope'];
const unsupportedGrant: Refused = [400, 'invalid_grant', 'unsupported_grant_type'];
const invalidToken: Refused = [401, 'invalid_token', 'invalid_token'];
const notAcceptable: Refused = [406, 'not_acceptable', 'invalid_request'];
const unsupportedType: Refused = [415, 'unsupported_media_type', 'invalid_request'];
const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

const cases: readonly (readonly [name: string, sent: Sent, refused: Refused])[] = [
  ['no body', {}, invalidRequest],
  ['no body and no type', { type: null }, invalidRequest],
  ['no grant_type', { body: client }, invalidRequest],
  ['an empty grant_type', { body: `grant_type=&${client}` }, invalidRequest],
  ['an unknown grant_type', { body: `grant_type=magic&${client}` }, unsupportedGrant],
  ['another spelling of the grant_type', { body: `grant_type=Client_Credentials&${client}` }, unsupportedGrant],
  ['the grant authorization_code', { body: `grant_type=authorization_code&code=x&${client}` }, unsupportedGrant],
  ['the grant refresh_token', { body: `grant_type=refresh_token&refresh_token=x&${client}` }, unsupportedGrant],
  ['the grant password', { body: `grant_type=password&username=a&password=b&${client}` }, unsupportedGrant],
  ['the grant password without anything else', { body: 'grant_type=password' }, unsupportedGrant],
  ['no client', { body: grant }, invalidRequest],
  ['no client_secret', { body: `${grant}&client_id=website` }, invalidRequest],
  ['no client_id', { body: `${grant}&client_secret=SECRET` }, invalidRequest],
  ['an empty client_id', { body: `${grant}&client_id=&client_secret=SECRET` }, invalidRequest],
  ['an empty client_secret', { body: `${grant}&client_id=website&client_secret=` }, invalidRequest],
  ['parameters in the address only', { path: `/auth/token?${grant}&client_id=website` }, invalidRequest],
  ['an unknown client', { body: `${grant}&client_id=nobody&client_secret=SECRET` }, invalidClient],
  ['a wrong secret', { body: `${grant}&client_id=website&client_secret=SECRETx` }, invalidClient],
  ['the id in another case', { body: `${grant}&client_id=Website&client_secret=SECRET` }, invalidClient],
  ['the id with a space behind', { body: `${grant}&client_id=website+&client_secret=SECRET` }, invalidClient],
  ['a revoked client', { body: `${grant}&client_id=gone&client_secret=REVOKED` }, invalidClient],
  ['the secret of another client', { body: `${grant}&client_id=people&client_secret=SECRET` }, invalidClient],
  ['an endless secret', { body: `${grant}&client_id=website&client_secret=${'x'.repeat(5000)}` }, invalidClient],
  ['a wrong secret by HTTP Basic', { body: grant, basic: 'website:wrong' }, wrongBasic],
  ['an unknown client by HTTP Basic', { body: grant, basic: 'nobody:SECRET' }, wrongBasic],
  ['a revoked client by HTTP Basic', { body: grant, basic: 'gone:REVOKED' }, wrongBasic],
  ['HTTP Basic without a colon', { body: grant, basic: 'website' }, wrongBasic],
  ['HTTP Basic without an id', { body: grant, basic: ':SECRET' }, wrongBasic],
  ['HTTP Basic without a secret', { body: grant, basic: 'website:' }, wrongBasic],
  ['HTTP Basic with broken percent-encoding', { body: grant, basic: 'web%zzsite:SECRET' }, wrongBasic],
  ['HTTP Basic that is no base64', { body: grant, headers: { authorization: 'Basic ***' } }, wrongBasic],
  ['HTTP Basic without credentials', { body: grant, headers: { authorization: 'Basic' } }, wrongBasic],
  ['HTTP Basic and a secret in the body', { body: `${grant}&${client}`, basic: 'website:SECRET' }, invalidRequest],
  ['HTTP Basic and another id', { body: `${grant}&client_id=people`, basic: 'website:SECRET' }, invalidRequest],
  ['HTTP Basic without a grant_type', { body: 'scope=chunks.read', basic: 'website:SECRET' }, invalidRequest],
  ['no scope that the client has', { body: `${grant}&${client}&scope=templates.read` }, invalidScope],
  ['an unknown scope', { body: `${grant}&${client}&scope=nonsense` }, invalidScope],
  ['the scope * for a client without it', { body: `${grant}&${client}&scope=*` }, invalidScope],
  ['scopes with commas', { body: `${grant}&${client}&scope=resources.read,chunks.read` }, invalidScope],
  ['a scope with a line break', { body: `${grant}&${client}&scope=a%0Ab` }, invalidScope],
  ['a scope of one space', { body: `${grant}&${client}&scope=+` }, invalidScope],
  ['grant_type twice', { body: `${grant}&${grant}&${client}` }, invalidRequest],
  ['client_id twice', { body: `${grant}&${client}&client_id=website` }, invalidRequest],
  ['scope twice', { body: `${grant}&${client}&scope=a&scope=b` }, invalidRequest],
  ['an empty parameter twice', { body: `${grant}&${client}&scope=&scope=` }, invalidRequest],
  ['an unknown parameter twice', { body: `${grant}&${client}&x=1&x=2` }, invalidRequest],
  ['a form with broken percent-encoding', { body: `${grant}&${client}&x=%zz` }, invalidRequest],
  ['a form with NUL', { body: `${grant}&${client}&x=%00` }, invalidRequest],
  ['a form with overlong UTF-8', { body: `${grant}&${client}&x=%c0%af` }, invalidRequest],
  ['a form with raw bytes', { body: `${grant}&${client}&x=\xff` }, invalidRequest],
  ['a form of 201 fields', { body: Array.from({ length: 201 }, (_v, n) => `a${n}=1`).join('&') }, invalidRequest],
  ['malformed JSON', { type: json, body: '{"grant_type":' }, invalidRequest],
  ['a JSON array', { type: json, body: '[]' }, invalidRequest],
  ['a JSON number as value', { type: json, body: '{"grant_type":1}' }, invalidRequest],
  ['a JSON list as scope', { type: json, body: '{"scope":["a"]}' }, invalidRequest],
  ['a JSON name twice', { type: json, body: '{"grant_type":"password","grant_type":"x"}' }, invalidRequest],
  ['JSON with __proto__', { type: json, body: '{"__proto__":{"grant_type":"client_credentials"}}' }, invalidRequest],
  ['JSON that is too deep', { type: json, body: deep(64) }, invalidRequest],
  ['JSON with invalid UTF-8', { type: json, body: '{"grant_type":"\xff"}' }, invalidRequest],
  ['plain text', { type: 'text/plain', body: `${grant}&${client}` }, unsupportedType],
  ['multipart', { type: 'multipart/form-data; boundary=x', body: '--x--' }, unsupportedType],
  ['a form without a type', { type: '', body: `${grant}&${client}` }, invalidRequest],
  ['another charset', { type: `${json}; charset=iso-8859-1`, body: '{}' }, unsupportedType],
  ['a compressed body', { body: 'x', headers: { 'content-encoding': 'gzip' } }, unsupportedType],
  ['a body over the limit', { body: 'x'.repeat(16_385) }, [413, 'payload_too_large', 'invalid_request']],
  ['a wrong Bearer credential', { body: grant, headers: { authorization: 'Bearer x' } }, invalidToken],
  ['a wrong X-API-Key', { body: `${grant}&${client}`, headers: { 'x-api-key': 'x' } }, invalidToken],
  ['an answer that is not JSON', { body: `${grant}&${client}`, headers: { accept: 'text/html' } }, notAcceptable],
  ['revoking without a token', { path: revoke, body: client }, invalidRequest],
  ['revoking with a token twice', { path: revoke, body: `${client}&token=a&token=a` }, invalidRequest],
  ['revoking without a client', { path: revoke, body: 'token=a' }, invalidRequest],
  ['revoking with a wrong secret', { path: revoke, body: `token=a&${wrong}` }, invalidClient],
  ['revoking with a wrong secret by HTTP Basic', { path: revoke, body: 'token=a', basic: 'website:x' }, wrongBasic],
  ['introspection without a token', { path: introspect, body: client }, invalidRequest],
  ['introspection with an empty token', { path: introspect, body: `${client}&token=` }, invalidRequest],
  ['introspection without a client', { path: introspect, body: 'token=a' }, invalidRequest],
  ['introspection by a revoked client', { path: introspect, body: 'token=a', basic: 'gone:REVOKED' }, wrongBasic],
];

/** The whole refusal: status, every member and every header that matters. */
async function checkRefusal(sent: Sent, [status, code, error]: Refused, to: TestSite): Promise<void> {
  const answer = await send(sent, to);
  const path = (sent.path ?? '/auth/token').replace(/\?.*/, '');
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({
    type: `/api/v1/problems/${code === 'invalid_token' ? 'unauthorized' : code.replaceAll('_', '-')}`,
    ...{ title: STATUS_CODES[status], status, detail: expect.any(String), instance: `/api/v1${path}`, code, error },
    request_id: answer.headers.get('x-request-id'),
    error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{5,}$/),
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const challenge = status !== 401 ? null : error === 'invalid_client' ? basicChallenge : 'Bearer';
  expect(answer.headers.get('www-authenticate')).toBe(challenge);
}

test.each(cases)('%s', (_name, sent, refused) => checkRefusal(sent, refused, site));

const users = 'client_id=users&client_secret=USERS';
const byPassword = 'grant_type=password';
const rowan = 'username=rowan&password=a+long+enough+one';
const unauthorized: Refused = [400, 'invalid_grant', 'unauthorized_client'];
const invalidGrant: Refused = [400, 'invalid_grant', 'invalid_grant'];

test.each<readonly [name: string, sent: Sent, refused: Refused]>([
  ['nothing else', { body: byPassword }, invalidRequest],
  ['no client', { body: `${byPassword}&${rowan}` }, invalidRequest],
  ['no username', { body: `${byPassword}&${users}&password=x` }, invalidRequest],
  ['an empty username', { body: `${byPassword}&${users}&username=&password=x` }, invalidRequest],
  ['no password', { body: `${byPassword}&${users}&username=rowan` }, invalidRequest],
  ['an empty password', { body: `${byPassword}&${users}&username=rowan&password=` }, invalidRequest],
  ['username twice', { body: `${byPassword}&${users}&${rowan}&username=rowan` }, invalidRequest],
  ['password twice', { body: `${byPassword}&${users}&${rowan}&password=x` }, invalidRequest],
  ['a number as password', { type: json, body: '{"grant_type":"password","password":1}' }, invalidRequest],
  ['NUL in the password', { body: `${byPassword}&${users}&username=rowan&password=a%00b` }, invalidRequest],
  ['a wrong client', { body: `${byPassword}&${rowan}&client_id=users&client_secret=x` }, invalidClient],
  ['a wrong client and no user', { body: `${byPassword}&client_id=users&client_secret=x` }, invalidClient],
  ['a wrong client by HTTP Basic', { body: `${byPassword}&${rowan}`, basic: 'users:x' }, wrongBasic],
  ['a revoked client', { body: `${byPassword}&${rowan}&client_id=gone&client_secret=REVOKED` }, invalidClient],
  ['a client without the grant', { body: `${byPassword}&${rowan}&${client}` }, unauthorized],
  ['a client without the grant and no user', { body: `${byPassword}&${client}` }, unauthorized],
  ['an unknown user', { body: `${byPassword}&${users}&username=nobody&password=x` }, invalidGrant],
  ['a wrong password', { body: `${byPassword}&${users}&username=rowan&password=x` }, invalidGrant],
  ['the password in another case', { body: `${byPassword}&${users}&${rowan.replace('=a', '=A')}` }, invalidGrant],
  ['a user in another case', { body: `${byPassword}&${users}&${rowan.replace('=r', '=R')}` }, invalidGrant],
  ['an inactive user', { body: `${byPassword}&${users}&username=away&password=a+long+enough+one` }, invalidGrant],
  ['an endless name', { body: `${byPassword}&${users}&username=${'x'.repeat(5000)}&password=x` }, invalidGrant],
  ['an endless password', { body: `${byPassword}&${users}&username=rowan&password=${'x'.repeat(5000)}` }, invalidGrant],
  ['a wrong password and scope', { body: `${byPassword}&${users}&username=rowan&password=x&scope=y` }, invalidGrant],
  ['no scope that the client has', { body: `${byPassword}&${users}&${rowan}&scope=templates.read` }, invalidScope],
  ['the scope *', { body: `${byPassword}&${users}&${rowan}&scope=*` }, invalidScope],
  ['the user in the address', { path: `/auth/token?${rowan}`, body: `${byPassword}&${users}` }, invalidRequest],
  ['another spelling of the grant', { body: `grant_type=Password&${rowan}&${users}` }, unsupportedGrant],
])('the grant password with %s', (_name, sent, refused) => checkRefusal(sent, refused, people));

test('the grant password with everything right', async () => {
  expect((await send({ body: `${byPassword}&${users}&${rowan}` }, people)).status).toBe(200);
  expect((await send({ body: users }, people)).body.error_description).toBe(
    'grant_type is missing; send client_credentials or password',
  );
});

describe('the token endpoint', () => {
  it('takes JSON of 32 levels and ignores what it does not know', async () => {
    const unknown = { body: `${grant}&${client}&resource=x&audience=%F0%9F%98%80`, type: `${form}; charset=UTF-8` };
    expect((await send(unknown)).status).toBe(200);
    expect((await send({ body: `${grant}&client_id=website`, basic: 'website:SECRET' })).status).toBe(200);
    const nested = await send({ type: json, body: deep(31) });
    expect(nested.body.error_description).toBe('Send the parameters as one JSON object whose values are texts');
  });

  it('takes a whole client in the body behind HTTP Basic of a server in front', async () => {
    for (const basic of ['proxy:password', 'proxy', ':']) {
      expect((await send({ body: `${grant}&${client}`, basic })).status).toBe(200);
      expect((await send({ body: `${grant}&${wrong}`, basic })).body.error).toBe('invalid_client');
    }
    const digest = { authorization: 'Digest username="u"' };
    expect((await send({ body: `${grant}&${client}`, headers: digest })).status).toBe(200);
  });

  it('refuses a client whose grants do not have the one it asks for', async () => {
    const { data } = (await db.json('oauth client rotate-secret people --yes')) as { data: { client_secret: string } };
    const { status, body } = await send({ body: grant, basic: `people:${data.client_secret}` });
    expect([status, body.code, body.error]).toEqual([400, 'invalid_grant', 'unauthorized_client']);
  });

  it('tells unknown, wrong and revoked clients apart in nothing', async () => {
    const bodies = ['nobody:SECRET', 'website:wrong', 'gone:REVOKED'].map(async (basic) => {
      const { request_id: _id, ...rest } = (await send({ body: grant, basic })).body;
      return rest;
    });
    const [first, ...others] = await Promise.all(bodies);
    expect(others).toEqual([first, first]);
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('is 405 with Allow for %s', async (method) => {
    for (const path of ['/auth/token', '/auth/revoke', '/auth/introspect']) {
      const { status, headers } = await site.get(path, { method });
      expect([status, headers.get('allow'), headers.get('cache-control')]).toEqual([405, 'POST, OPTIONS', 'no-store']);
    }
  });

  let off: TestSite;
  beforeAll(async () => {
    off = await startTestSite({ databaseUrl: db.url });
  });

  test.each([
    ['a sound request', { body: `${grant}&${client}` }],
    ['the grant password', { body: `grant_type=password&username=a&password=b&${client}` }],
    ['nothing', {}],
    ['malformed JSON', { type: json, body: '{' }],
    ['another type', { type: 'text/plain', body: 'x' }],
    ['HTTP Basic', { body: grant, basic: 'website:wrong' }],
  ] as const)('answers %s with invalid_grant while OAuth is off', async (_name, sent) => {
    const { status, body, headers } = await send(sent, off);
    const code = 'invalid_grant';
    expect([status, body]).toMatchObject([400, { code, error: code, detail: 'OAuth is turned off' }]);
    expect(headers.get('www-authenticate')).toBeNull();
  });

  it('measures a body while it arrives, whatever length it claims, and still answers', async () => {
    const small = await startTestSite({ databaseUrl: db.url, env: { ...on, HCD_GATEWAY_MAX_BODY_BYTES: '1024' } });
    const port = Number(new URL(small.url).port);
    const head = `POST /api/v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Type: ${form}\r\n`;
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
    const over = await sendRaw({ port, bytes: `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}1\r\nx\r\n0\r\n\r\n` });
    expect([over.status, JSON.parse(over.body).code]).toEqual([413, 'payload_too_large']);
    const exact = await sendRaw({ port, bytes: `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n` });
    expect([exact.status, JSON.parse(exact.body).error]).toEqual([400, 'invalid_request']);
    const claimed = await sendRaw({ port, bytes: `${head}Content-Length: 999999999\r\n\r\nx` });
    expect(claimed.status).toBe(413);
    const large = await send({ body: 'x'.repeat(900_000) }, small);
    expect([large.status, large.body.error_description]).toEqual([413, 'The body is larger than 1024 bytes']);
  });

  it('is 503 in its own form while the gateway is off', async () => {
    const disabled = await startTestSite({ databaseUrl: db.url, env: { ...on, HCD_GATEWAY_ENABLED: '0' } });
    const { status, body } = await send({ body: `${grant}&${client}` }, disabled);
    expect([status, body.code, body.error]).toEqual([503, 'service_disabled', 'temporarily_unavailable']);
  });
});
