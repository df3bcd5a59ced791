/** The credential in the Authorization header, the same on every interface (docs/reference/http.md#credentials). */
import type { Caller } from './api.js';

/** Longer than any credential of ours: refused without a look-up. */
const longest = 256;
const bearer = /^bearer\s+(\S+)$/i;
/** Schemes of servers in front of this one, which browsers and proxies send with every request. */
const foreign =
  /^(?:basic|digest|hoba|kerberos|mutual|negotiate|ntlm|scram-sha-1|scram-sha-256|vapid|aws4-hmac-sha256)(?:\s|$)/i;

/** Null without a credential, or with one for a server in front; empty for a wrong one. */
export function readBearer(caller: Pick<Caller, 'header'>): string | null {
  const given = caller.header('authorization')?.trim() ?? '';
  if (given === '' || foreign.test(given)) return null;
  return withinBounds(bearer.exec(given)?.[1] ?? '');
}

export function readKeyHeader(caller: Pick<Caller, 'header'>): string | null {
  const given = caller.header('x-api-key')?.trim();
  return given === undefined ? null : withinBounds(given);
}

function withinBounds(text: string): string {
  return text.length > longest || /\s/.test(text) ? '' : text;
}
