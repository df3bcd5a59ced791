/** Requests of a person to a server that they name: no policy for addresses, no redirect, one answer. */
import { AppError } from '../../src/errors/app-error.js';
import { isJsonObject, parseJson } from '../../src/values/json.js';
import type { Deps } from '../deps.js';

interface Question {
  readonly url: string;
  readonly method: string;
  readonly key?: string | undefined;
  readonly body?: string | undefined;
  readonly accept?: string;
}

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const longestSeconds = 120;

/** Throws refused when no answer comes. */
export async function request({ url, method, key, body, accept = '*/*' }: Question, { clock }: Deps): Promise<Answer> {
  const late = new AbortController();
  const timer = clock.after(longestSeconds * 1000, () => late.abort());
  try {
    const response = await fetch(url, {
      method,
      // A key must not go to another server than the one that was named.
      redirect: 'manual',
      headers: {
        Accept: accept,
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      signal: late.signal,
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      reason: response.statusText,
      type: response.headers.get('content-type') ?? '',
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  } catch (error) {
    const { origin } = new URL(url);
    throw new AppError('refused', { message: `${origin} did not answer: ${reasonOf(error, late.signal)}` });
  } finally {
    timer.stop();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; hcd serve starts a server',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'there is no way to that machine',
  ETIMEDOUT: 'the connection was not established in time',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not established in time',
};

function reasonOf(error: unknown, late: AbortSignal): string {
  if (late.aborted) return `there was no answer within ${longestSeconds} seconds`;
  const { code, message } = causeOf(error);
  if (code !== undefined && /CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code)) {
    return `its certificate cannot be trusted (${code}); NODE_EXTRA_CA_CERTS names further authorities`;
  }
  return (code === undefined ? undefined : reasons[code]) ?? code ?? message;
}

/** fetch hides the reason in the cause, and where a name has several addresses in the first of several errors. */
function causeOf(error: unknown): { readonly code: string | undefined; readonly message: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return { code, message: cause instanceof Error ? cause.message : 'unknown reason' };
}

interface Places {
  readonly gateway: string;
  readonly all: readonly string[];
}

const usual: Places = { gateway: '/api/v1', all: ['/api/v1', '/pages/api/v1.php', '/banners/api.php'] };

/** By the server's start page; the usual places where it has none. */
export async function readPlaces(origin: string, deps: Deps): Promise<Places> {
  const { status, bytes } = await request({ url: `${origin}/`, method: 'GET', accept: 'application/json' }, deps);
  const index = status === 200 ? parseJson(bytes.toString('utf8')) : undefined;
  const listed =
    isJsonObject(index) && Array.isArray(index['interfaces']) ? index['interfaces'].filter(isJsonObject) : [];
  const places = listed.map(({ name, address }) => ({ name, address: String(address) }));
  const gateway = places.find(({ name }) => name === 'gateway')?.address ?? usual.gateway;
  return places.length === 0 ? usual : { gateway, all: places.map(({ address }) => address) };
}
