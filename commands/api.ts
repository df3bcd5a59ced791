/** `hcd api METHOD PATH`: one request to a server, with its answer on standard output. */

import { listeningAddress } from '../src/config/address-values.js';
import { mapped, textValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { codeOf } from '../src/errors/disk-error.js';
import { isJsonObject, parseJson } from '../src/values/json.js';
import { trimEndOf } from '../src/values/text.js';
import { defineCommand, type Result } from './command.js';
import type { Deps } from './deps.js';
import { type Paint, paintFor } from './paint.js';
import { optional, required, usageError } from './parameters.js';
import { readJsonFile } from './read-file.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export const command = defineCommand({
  description:
    'Sends one request to a server and prints the body of its answer: indented and in colour on a terminal, byte for byte in a pipe. PATH is a path of the gateway, such as /resources?limit=5. A path that begins with the address of an interface, such as /pages/api/v1.php/pages or /api/v1/resources, or with /.well-known/, is sent as it is. The server is --server, or the one of this site that runs on this machine, or the one that HCD_HOST and HCD_PORT name. The key is --key, or the environment variable HCD_KEY, which other users of the machine cannot read; it is sent as a Bearer token and never printed. Redirects are not followed.\n\nThe exit code is 1 when the status is 400 or more; the body is printed in that case too.',
  arguments: {
    method: required(
      mapped(
        textValue({
          accepts: `one of ${methods.join(', ')}`,
          isAccepted: (text) => methods.includes(text.toUpperCase()),
        }),
        (text) => text.toUpperCase(),
      ),
      'HTTP method',
      { suggestions: methods },
    ),
    path: required(
      textValue({ accepts: 'a path that begins with /', pattern: /^\/[^\s#]*$/ }),
      'Path and query to request',
    ),
  },
  options: {
    server: optional(
      textValue({
        accepts: 'an address such as https://cms.example',
        pattern: /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#@]*)?$/i,
      }),
      'Server to ask (default: one that runs here)',
      { placeholder: 'URL' },
    ),
    key: optional(
      textValue({ accepts: 'a key or token', pattern: /^[\x21-\x7e]+$/, shown: () => '***' }),
      'API key or token (default: HCD_KEY)',
    ),
    data: optional(textValue(), 'JSON body; @FILE reads it from a file, - from standard input', {
      placeholder: 'JSON',
    }),
  },
  examples: {
    "api GET '/resources?limit=5'": 'List resources on the server of this machine',
    'api PATCH /resources/7 --data \'{"pagetitle":"Home"}\'': 'Change a resource',
    'api GET /pages/api/v1.php/pages --server https://cms.example': 'Ask another server for its pages',
  },
  async run({ method, path, server, key, data }, deps) {
    // Set but empty, as by a file of variables, means no key.
    const credential = key ?? (deps.env['HCD_KEY'] || undefined);
    const origin = trimEndOf(server ?? (await nearestServer(path, deps)), '/');
    if (data !== undefined && (method === 'GET' || method === 'HEAD')) {
      throw usageError({ '--data': `cannot be combined with ${method}` });
    }
    const body = data === undefined ? undefined : await readData(data, deps);
    const places = await readPlaces(origin, deps);
    const target = isAbsolute(path, places.all) ? path : `${places.gateway}${path}`;
    const answer = await request({ url: `${origin}${target}`, method, key: credential, body }, deps);
    return show(answer, deps);
  },
});

/** Without a database the request goes to the configured address. */
async function nearestServer(path: string, deps: Deps): Promise<string> {
  const api = path.startsWith('/pages/') ? 'pages' : path.startsWith('/banners/') ? 'banners' : 'gateway';
  const configured = listeningAddress(deps.loadConfig().config);
  const address = await deps.openSite().then(
    (site) => site.addressOf(api),
    () => configured,
  );
  if (new URL(address).port === '0') {
    throw usageError({ '--server': 'is required: no server runs here, and HCD_PORT 0 does not say which port' });
  }
  return address;
}

async function readData(data: string, deps: Deps): Promise<string> {
  if (data === '-' || data.startsWith('@')) {
    return JSON.stringify(await readJsonFile(data === '-' ? data : data.slice(1), deps));
  }
  if (parseJson(data) === undefined) throw usageError({ '--data': 'must be JSON, @FILE or -' });
  return data;
}

function isAbsolute(path: string, addresses: readonly string[]): boolean {
  if (path === '/' || /^\/(?:\.well-known|pages\/api|banners)\//.test(path)) return true;
  return addresses.some((address) => path.startsWith(address) && /^(?:$|[/?])/.test(path.slice(address.length)));
}

function show({ status, reason, type, bytes }: Answer, { io: { stdout }, flags }: Deps): Result {
  const isRefused = status >= 400;
  const rest = {
    exitCode: isRefused ? 1 : 0,
    notes: [(isRefused || stdout.isTerminal) && `HTTP ${status} ${reason}`.trimEnd()],
  } as const;
  const isText = /^text\/|[/+]json\b/.test(type);
  const text = isText ? bytes.toString('utf8') : '';
  const value = /[/+]json\b/.test(type) ? parseJson(text) : undefined;
  if (flags.json) return { kind: 'text', text, data: value ?? (isText ? text : bytes.toString('base64')), ...rest };
  if (!stdout.isTerminal) {
    stdout.stream.write(bytes);
    return { kind: 'nothing', hasWritten: true, ...rest };
  }
  if (value !== undefined)
    return { kind: 'text', text: `${colourJson(value, paintFor(stdout))}\n`, data: value, ...rest };
  const shown = isText || bytes.length === 0 ? text : `${bytes.length} bytes of ${type}; redirect the output to a file`;
  return { kind: 'text', text: shown === '' ? '' : `${shown}\n`, data: null, ...rest };
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false)\b|\bnull\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function colourJson(value: unknown, paint: Paint): string {
  return JSON.stringify(value, null, 2).replace(token, (whole, text?: string, colon?: string) => {
    if (text !== undefined) return colon === undefined ? paint.green(text) : `${paint.bold(text)}${colon}`;
    return whole === 'null' ? paint.dim(whole) : paint.yellow(whole);
  });
}

interface Question {
  readonly url: string;
  readonly method: string;
  readonly key?: string | undefined;
  readonly body?: string | undefined;
  readonly accept?: string;
}

type Answer = Awaited<ReturnType<typeof request>>;

const longestSeconds = 120;

/** Throws refused when no answer comes. */
async function request({ url, method, key, body, accept = '*/*' }: Question, { clock }: Deps) {
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
  return { code: codeOf(cause) || undefined, message: cause instanceof Error ? cause.message : 'unknown reason' };
}

const usual = { gateway: '/api/v1', all: ['/api/v1', '/pages/api/v1.php', '/banners/api.php'] };

/** By the server's start page; the usual places where it has none. */
async function readPlaces(origin: string, deps: Deps): Promise<typeof usual> {
  const { status, bytes } = await request({ url: `${origin}/`, method: 'GET', accept: 'application/json' }, deps);
  const index = status === 200 ? parseJson(bytes.toString('utf8')) : undefined;
  const listed =
    isJsonObject(index) && Array.isArray(index['interfaces']) ? index['interfaces'].filter(isJsonObject) : [];
  const places = listed.map(({ name, address }) => ({ name, address: String(address) }));
  const gateway = places.find(({ name }) => name === 'gateway')?.address ?? usual.gateway;
  return places.length === 0 ? usual : { gateway, all: places.map(({ address }) => address) };
}
