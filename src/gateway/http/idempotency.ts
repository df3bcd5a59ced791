/** Idempotency-Key (docs/writing.md#sending-again): a repeated POST gets the same answer and is carried out once. */

import type { Settings } from '../../config/settings.js';
import type { Seal } from '../../content/mutations/run-mutation.js';
import { randomId, sha256Hex } from '../../crypto/primitives.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { serialise } from '../../http/answers/representation.js';
import type { Call, Reply } from '../../http/interface/endpoint.js';
import { canonicalQuery } from '../../http/interface/query-pairs.js';
import type { Database } from '../../store/base/database.js';
import { perObject } from '../../values/kept-values.js';
import { utf8 } from '../../values/text.js';
import {
  awaitIdempotencyKey,
  type IdempotencyReservation,
  type IdempotencyRow,
  idempotencyKeys,
  type KeptAnswer,
  keptAnswer,
  reserveIdempotencyKey,
} from '../models/idempotency.js';

interface AnswerOnceDeps {
  readonly settings: () => Pick<Settings, 'gateway_idempotency_enabled' | 'gateway_idempotency_ttl'>;
  readonly writer: { readonly store: { readonly own: Database } };
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

/** Requests of this process that are not answered yet. */
const runningOn = perObject<Database, Set<string>>(() => new Set());

/**
 * Throws validation_failed for a malformed key, idempotency_conflict when it was used for another request or is not
 * answered yet.
 */
export async function answerOnce(deps: AnswerOnceDeps, call: Call, { rights, work, body }: KeyedWork): Promise<Reply> {
  const { gateway_idempotency_enabled: isOn, gateway_idempotency_ttl: seconds } = deps.settings();
  const key = isOn ? readKey(call) : null;
  if (key === null) return work(null);
  const { own } = deps.writer.store;
  const request = { ...marksOf(call, { key, rights, shown: await body?.() }), lifetimeMs: seconds * 1000 };
  const { id, fingerprint } = request;
  const replayed = (answer: KeptAnswer) => fromStored(answer, { [header]: key, 'Idempotency-Replayed': 'true' });
  const running = runningOn(own);
  if (running.has(id)) throw stillRunning();
  running.add(id);
  try {
    // Looked up before validation: the data may have changed since the first request.
    const before = answerBefore(await idempotencyKeys.on(own.primary).lookUp({ id }), fingerprint);
    if (before !== null) return replayed(before);
    let kept: KeptAnswer | undefined;
    const seal = makeSeal(request, (answer) => {
      kept = answer;
    });
    const reply = await work(seal);
    // The first answer is sent from the kept text, so that a later one cannot differ from it.
    return fromStored(kept ?? toStored(reply), { ...reply.headers, [header]: key });
  } catch (error) {
    if (error instanceof AnsweredBefore) return replayed(error.answer);
    throw error;
  } finally {
    running.delete(id);
  }
}

/** A comma joins repeated headers, and no key has one. */
function readKey(call: Call): string | null {
  const key = call.method === 'POST' ? (call.header('idempotency-key') ?? '').trim() : '';
  if (key === '') return null;
  if (form.test(key)) return key;
  throw invalidField(header, 'must be 1 to 128 characters of A-Z a-z 0-9 . _ : -', `Invalid ${header}`);
}

type KeyedRequest = Omit<IdempotencyReservation, 'claim'>;

function marksOf(
  call: Call,
  { key, rights, shown }: { readonly key: string; readonly rights: string; readonly shown: Uint8Array | undefined },
): Omit<KeyedRequest, 'lifetimeMs'> {
  const { identity, method, path, body } = call;
  // One caller never gets the answer of another.
  const actor = identity.kind === 'anonymous' ? identity.kind : `${identity.kind}:${identity.id}`;
  const bytes = shown ?? (body === null || body.kind === 'upload' ? '' : body.bytes);
  const shaping = [canonicalQuery(call.query), call.header('x-context') ?? '', body?.kind ?? '', rights];
  return {
    ...{ actor, key, id: digestOf([actor, method, path, key]) },
    fingerprint: digestOf([method, path, ...shaping, sha256Hex(bytes)]),
  };
}

/** JSON keeps the parts apart, whatever is in them. */
function digestOf(parts: readonly string[]): string {
  return sha256Hex(JSON.stringify(parts));
}

/** Another process has answered meanwhile; not a failure. */
class AnsweredBefore extends Error {
  readonly answer: KeptAnswer;

  constructor(answer: KeptAnswer) {
    super('the request was answered before');
    this.answer = answer;
  }
}

/** Every supported server takes a statement of this size, or can be configured to. */
const mostBytes = 4_194_304;
/** No request runs this long, so an older reservation is a leftover. */
const longestRequestMs = 60_000;
/** Reservations of others may end or appear between look-up and reservation. */
const mostLooks = 3;

/** `begin` throws AnsweredBefore and idempotency_conflict, `keep` payload_too_large. */
function makeSeal(request: KeyedRequest, onKept: (answer: KeptAnswer) => void): Seal<Reply> {
  const reservation = { ...request, claim: randomId() };
  const { id, claim, fingerprint } = reservation;
  return {
    async begin(tx) {
      for (let look = 0; look < mostLooks; look += 1) {
        const row = await idempotencyKeys.on(tx).lookUp({ id });
        // An earlier attempt of this very request committed it.
        if (row !== null && row.claim === claim && row.status === null) return;
        const answer = answerBefore(row, fingerprint);
        if (answer !== null) throw new AnsweredBefore(answer);
        const outcome = await reserveIdempotencyKey(tx, reservation, row);
        if (outcome === 'reserved') return;
        if (outcome === 'locked') break;
      }
      throw stillRunning();
    },
    async keep(tx, reply) {
      const answer = toStored(reply);
      onKept(answer);
      if (answer.body !== null && Buffer.byteLength(answer.body) > mostBytes) throw answerTooLarge(mostBytes);
      // Changes nothing when the reservation expired and another request has the row: that request's answer counts.
      await idempotencyKeys.on(tx).update({ ...answer }, { where: { id, claim } });
    },
    async find(tx) {
      const row = await awaitIdempotencyKey(tx, id);
      const isOurs = row !== null && !isExpired(row) && row.fingerprint === fingerprint;
      const answer = isOurs ? keptAnswer(row) : null;
      if (answer === null) return undefined;
      onKept(answer);
      return fromStored(answer, {});
    },
    async release(tx) {
      await idempotencyKeys.on(tx).destroy({ where: { id, claim, status: null } });
    },
  };
}

function answerBefore(row: IdempotencyRow | null, fingerprint: string): KeptAnswer | null {
  if (row === null || isExpired(row)) return null;
  if (row.fingerprint !== fingerprint) throw usedOtherwise();
  const answer = keptAnswer(row);
  if (answer !== null) return answer;
  throw row.readOn - row.createdOn < longestRequestMs ? stillRunning() : outcomeUnknown();
}

function isExpired({ expiresOn, readOn }: IdempotencyRow): boolean {
  return expiresOn <= readOn;
}

function usedOtherwise(): AppError {
  return new AppError('idempotency_conflict', {
    message: 'This Idempotency-Key was used with another body (or other parameters): use a new key for a new request',
  });
}

/** Without a cause: the message of the database is not a reason to try again. */
function stillRunning(): AppError {
  return new AppError('idempotency_conflict', {
    message: 'A request with this Idempotency-Key is still being processed: repeat it later to get its answer',
    details: { retryAfter: 1 },
  });
}

/** Content and own tables were in two databases. */
function outcomeUnknown(): AppError {
  return new AppError('idempotency_conflict', {
    message:
      'The first request with this Idempotency-Key was interrupted, and it is not known whether it took effect: look for the record, and use a new key if it is not there',
  });
}

/** The change is undone: an answer that cannot be kept must not be sent. */
function answerTooLarge(most: number): AppError {
  return new AppError('payload_too_large', {
    message: `The answer is larger than the ${most} bytes that are kept for an Idempotency-Key, so nothing was changed: send less, or send no Idempotency-Key`,
  });
}

function toStored(reply: Reply): KeptAnswer {
  const { status, headers = {} } = reply;
  if (status < 200 || status > 299) throw new Error(`an answer of status ${status} is not a result of a mutation`);
  if (reply.body.kind === 'stream') throw new TypeError('a stream cannot be kept for a repetition');
  const kept = Object.entries(headers).filter(([name]) => keptHeaders.has(name.toLowerCase()));
  const { type, body } = serialise(reply);
  if (type === null) return { status, headers: Object.fromEntries(kept), body: null };
  // Bytes that are not text could not be kept unchanged.
  const text = typeof body === 'string' ? body : utf8.decode(body);
  return { status, headers: { ...Object.fromEntries(kept), [typeHeader]: type }, body: text };
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
