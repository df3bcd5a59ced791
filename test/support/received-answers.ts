/**
 * Holds each answer that a test receives from a server of this process to the OpenAPI document of its interface: what
 * comes through `fetch` and through `http.request`. A test that received others fails (check-answers.ts).
 */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ApiModule } from '../../src/http/interface/api.js';
import type { Describe, ReceivedAnswer } from './described-answers.js';

const servers = new Map<number, Promise<Describe>>();
const pending = new Set<Promise<unknown>>();
const found = new Set<string>();

/** From now on answers from the port are judged; the returned function ends that. */
export function judgeAnswers(port: number, apis: readonly ApiModule[], definitions = ''): () => void {
  // Loaded on use: it loads most of the program, and every test file loads this one.
  const describe = import('./described-answers.js').then((own) => own.describeAnswers(apis, definitions));
  servers.set(port, describe);
  wait(describe);
  return () => void servers.delete(port);
}

/** What was wrong since the last call. */
export async function takeMisfits(): Promise<readonly string[]> {
  await Promise.all(pending);
  const all = [...found];
  found.clear();
  return all;
}

function judge(port: number, answer: ReceivedAnswer): void {
  const describe = servers.get(port);
  if (describe === undefined) return;
  wait(
    describe
      .then((judgeOne) => judgeOne(answer))
      .then((misfits) => {
        for (const one of misfits) found.add(`${answer.method} ${answer.target}: ${one}`);
      }),
  );
}

/** The test does not end before the work does. */
function wait(work: Promise<unknown>): void {
  const done = work.finally(() => pending.delete(done));
  pending.add(done);
}

const plainFetch = globalThis.fetch;

/** Judges an answer when its body is read, so that one that is not read stays unread. */
async function judgedFetch(...asked: Parameters<typeof fetch>): Promise<Response> {
  const response = await plainFetch(...asked);
  const [input, init] = asked;
  const url = new URL(response.url === '' ? 'http://nowhere' : response.url);
  const port = Number(url.port);
  if (!servers.has(port) || response.redirected) return response;
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  const answer = {
    ...{ method: method.toUpperCase(), target: `${url.pathname}${url.search}`, status: response.status },
    type: response.headers.get('content-type') ?? '',
  };
  judge(port, { ...answer, text: undefined });
  const bytes = response.arrayBuffer.bind(response);
  const read = async (): Promise<ArrayBuffer> => {
    const body = await bytes();
    judge(port, { ...answer, text: new TextDecoder().decode(body) });
    return body;
  };
  const text = async () => new TextDecoder().decode(await read());
  return Object.assign(response, { arrayBuffer: read, text, json: async () => JSON.parse(await text()) as unknown });
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

/** The bytes are noted as they arrive; nothing is read that the asker does not read. */
function judgeResponse(message: unknown): void {
  const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
  const port = response.socket.remotePort ?? 0;
  if (!servers.has(port)) return;
  const { 'content-type': type = '', 'content-encoding': coding = '' } = response.headers;
  const answer = { method: request.method, target: request.path, status: response.statusCode ?? 0, type };
  const chunks: Buffer[] = [];
  const push = response.push.bind(response);
  response.push = (chunk: unknown, ...more) => {
    if (chunk !== null) chunks.push(Buffer.from(chunk as Buffer));
    else if (response.complete) {
      const bytes = Buffer.concat(chunks);
      const decode = bytes.length > 0 ? decoders[coding] : undefined;
      judge(port, { ...answer, text: (decode?.(bytes) ?? bytes).toString() });
    }
    return push(chunk, ...more);
  };
}

if (globalThis.fetch.name !== judgedFetch.name) {
  globalThis.fetch = judgedFetch;
  subscribe('http.client.response.finish', judgeResponse);
}
