/** Credentials in every wrong form: refused quickly, and without a look-up where the form is wrong. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { anonymousPrincipal } from '../../../src/access/acl.js';
import type { Identity, SessionIdentity } from '../../../src/access/identity.js';
import { AppError } from '../../../src/errors/app-error.js';
import { gatewayIdentify } from '../../../src/gateway/http/checks.js';

const key: Identity = { kind: 'api_key', id: 'k', scopes: new Set(['*']), userId: null };
const session: SessionIdentity = {
  kind: 'session',
  id: '1',
  userId: 1,
  principal: anonymousPrincipal,
  csrfToken: 'token',
};
let asked: string[] = [];

/** The identity's kind, or the code of the refusal. */
async function outcome(headers: Readonly<Record<string, string>>): Promise<string> {
  const caller = {
    header: (name: string) => headers[name],
    queryValues: () => [],
    clientIp: '192.0.2.1',
    isSecure: false,
    forwardedAddress: null,
    method: 'GET',
  };
  const verify = async (credential: string) => {
    asked.push(credential);
    return credential === 'good' ? key : null;
  };
  const findSession = async () => (headers['cookie'] === 'the session' ? { identity: session } : null);
  const verifyPreview = async (): Promise<null> => null;
  try {
    return (await gatewayIdentify({ verify, verifyPreview, findSession })(caller, undefined))?.kind ?? 'invalid_token';
  } catch (error) {
    return error instanceof AppError ? error.code : 'fault';
  }
}

beforeEach(() => {
  asked = [];
});

describe('the forms of a credential', () => {
  const long = 'x'.repeat(8192);
  it.each<[name: string, headers: Record<string, string>, expected: string, looksUp: string[]]>([
    ['none', {}, 'anonymous', []],
    ['an empty header', { authorization: '' }, 'anonymous', []],
    ['a session', { cookie: 'the session' }, 'session', []],
    ['a session that has ended', { cookie: 'another session' }, 'anonymous', []],
    ['a session next to a key', { cookie: 'the session', 'x-api-key': 'good' }, 'api_key', ['good']],
    ['a session next to a wrong key', { cookie: 'the session', 'x-api-key': 'bad' }, 'invalid_token', ['bad']],
    ['a session behind HTTP Basic', { cookie: 'the session', authorization: 'Basic Og==' }, 'session', []],
    ['Bearer', { authorization: 'Bearer good' }, 'api_key', ['good']],
    ['the scheme in lower case', { authorization: 'bearer good' }, 'api_key', ['good']],
    ['a tab behind the scheme', { authorization: 'Bearer\tgood' }, 'api_key', ['good']],
    ['X-API-Key', { 'x-api-key': 'good' }, 'api_key', ['good']],
    ['both: Bearer counts', { authorization: 'Bearer bad', 'x-api-key': 'good' }, 'invalid_token', ['bad']],
    ['HTTP Basic of a server in front', { authorization: 'Basic Og==' }, 'anonymous', []],
    ['HTTP Basic next to a key', { authorization: 'Basic Og==', 'x-api-key': 'good' }, 'api_key', ['good']],
    ['Bearer alone', { authorization: 'Bearer' }, 'invalid_token', []],
    ['Bearer alone next to a key', { authorization: 'Bearer', 'x-api-key': 'good' }, 'invalid_token', []],
    ['no space', { authorization: 'Bearergood' }, 'invalid_token', []],
    ['no scheme', { authorization: 'good' }, 'invalid_token', []],
    ['a comma for a space', { authorization: 'Bearer,good' }, 'invalid_token', []],
    ['an unknown scheme', { authorization: 'Token good' }, 'invalid_token', []],
    ['two tokens', { authorization: 'Bearer good good' }, 'invalid_token', []],
    ['two keys in one header', { 'x-api-key': 'good, good' }, 'invalid_token', []],
    ['an empty key', { 'x-api-key': '' }, 'invalid_token', []],
    ['8 KiB', { authorization: `Bearer ${long}` }, 'invalid_token', []],
    ['a wrong one', { authorization: 'Bearer bad' }, 'invalid_token', ['bad']],
  ])('%s', async (_name, headers, expected, looksUp) => {
    expect(await outcome(headers)).toBe(expected);
    expect(asked).toEqual(looksUp);
  });
});

it('nothing but the credential itself opens anything', async () => {
  const noise = fc.string({ unit: 'binary', maxLength: 300 });
  const start = fc.constantFrom('', 'Bearer ', 'bearer', 'Bearer  ', 'BEARER\t', 'Basic ', 'gk_', 'Bearer good');
  await fc.assert(
    fc.asyncProperty(start, noise, async (scheme, rest) => {
      const text = `${scheme}${rest}`;
      const isGood = /^bearer\s+good$/i.test(text.trim());
      const isForeign =
        text.trim() === '' || /^(basic|digest|negotiate|ntlm|kerberos|hoba|mutual|vapid)(\s|$)/i.test(text.trim());
      expect(await outcome({ authorization: text })).toBe(
        isGood ? 'api_key' : isForeign ? 'anonymous' : 'invalid_token',
      );
    }),
    { numRuns: 2000 },
  );
});
