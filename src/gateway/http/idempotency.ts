/** Idempotency-Key (docs/writing.md#sending-again): a repeated POST gets the same answer and is carried out once. */

import type { Settings } from '../../config/settings.js';
import type { Seal } from '../../content/mutations/run-mutation.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Call, Reply } from '../../http/interface/endpoint.js';
import { canonicalQuery } from '../../http/interface/query-pairs.js';
import { utf8 } from '../../values/text.js';
import type { AnswerMemory, KeptAnswer, KeyedRequest } from '../idempotency/answer-memory.js';

interface AnswerOnceDeps {
  readonly live: () => {
    readonly settings: { readonly values: Pick<Settings, 'gateway_idempotency_enabled'> };
  };
  readonly answers: AnswerMemory;
}

export type SealedWork = (seal: Seal<Reply> | null) => Promise<Reply>;

interface KeyedWork {
  /** Rights to read shape the answer: after a change of them the request counts as a different one. */
  readonly rights: string;
  readonly work: SealedWork;
  /** Represents a body that is not in memory. */
  readonly body?: () => Promise<Uint8Array>;
}

const header = 'Idempotency-Key';
const form = /^[A-Za-z0-9._:-]{1,128}$/;
const keptHeaders: ReadonlySet<string> = new Set(['location', 'etag']);
const typeHeader = 'Content-Type';

/** Throws validation_failed for a malformed key, idempotency_conflict for a different or unanswered request. */
export async function answerOnce(deps: AnswerOnceDeps, call: Call, { rights, work, body }: KeyedWork): Promise<Reply> {
  const key = deps.live().settings.values.gateway_idempotency_enabled ? readKey(call) : null;
  if (key === null) return work(null);
  const request = { ...keyedRequest(call, { key, rights }), ...(body === undefined ? {} : { body: await body() }) };
  let extra: Readonly<Record<string, string>> = {};
  const { answer, isReplay } = await deps.answers.answer(request, async (seal) => {
    let kept: KeptAnswer | undefined;
    const reply = await work({
      begin: (tx) => seal.begin(tx),
      keep(tx, result) {
        kept = toStored(result);
        return seal.keep(tx, kept);
      },
      async find(tx) {
        const found = await seal.find(tx);
        if (found === undefined) return undefined;
        kept = found;
        return fromStored(found, {});
      },
      release: (tx) => seal.release(tx),
    });
    extra = reply.headers ?? {};
    // The first answer is sent from the kept text, so that a later one cannot differ from it.
    return kept ?? toStored(reply);
  });
  return fromStored(answer, { ...extra, [header]: key, ...(isReplay ? { 'Idempotency-Replayed': 'true' } : {}) });
}

/** A comma joins repeated headers, and no key has one. */
function readKey(call: Call): string | null {
  const key = call.method === 'POST' ? (call.header('idempotency-key') ?? '').trim() : '';
  if (key === '') return null;
  if (form.test(key)) return key;
  throw invalidField(header, 'must be 1 to 128 characters of A-Z a-z 0-9 . _ : -', `Invalid ${header}`);
}

function keyedRequest(call: Call, { key, rights }: { readonly key: string; readonly rights: string }): KeyedRequest {
  const { identity, method, path, body } = call;
  return {
    actor: identity.kind === 'anonymous' ? identity.kind : `${identity.kind}:${identity.id}`,
    method,
    path,
    key,
    parameters: [canonicalQuery(call.query), call.header('x-context') ?? '', body?.kind ?? '', rights],
    body: body === null || body.kind === 'upload' ? null : body.bytes,
  };
}

function toStored({ status, headers = {}, body }: Reply): KeptAnswer {
  if (status < 200 || status > 299) throw new Error(`an answer of status ${status} is not a result of a mutation`);
  const kept = Object.entries(headers).filter(([name]) => keptHeaders.has(name.toLowerCase()));
  const { type, text } = serialise(body);
  return {
    status,
    headers: { ...Object.fromEntries(kept), ...(type === null ? {} : { [typeHeader]: type }) },
    body: text,
  };
}

function serialise(body: Reply['body']): { readonly type: string | null; readonly text: string | null } {
  switch (body.kind) {
    case 'json':
      return { type: body.type ?? 'application/json; charset=utf-8', text: JSON.stringify(body.value) };
    case 'bytes':
      // Bytes that are not text could not be kept unchanged.
      return { type: body.type, text: typeof body.bytes === 'string' ? body.bytes : utf8.decode(body.bytes) };
    case 'stream':
      throw new AppError('internal_error', { cause: new TypeError('a stream cannot be kept for a repetition') });
    case 'empty':
      return { type: null, text: null };
  }
}

function fromStored(answer: KeptAnswer, extra: Readonly<Record<string, string>>): Reply {
  const { [typeHeader]: type, ...headers } = answer.headers;
  return {
    status: answer.status,
    headers: { ...extra, ...headers },
    body: answer.body === null || type === undefined ? { kind: 'empty' } : { kind: 'bytes', type, bytes: answer.body },
    caching: { kind: 'never' },
  };
}
