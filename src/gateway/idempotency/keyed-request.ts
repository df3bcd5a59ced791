/** A request with a key, and the two digests by which the memory of answered requests knows it. */
import { sha256Hex } from '../../crypto/hash.js';
import type { KeptAnswer } from '../rows/idempotency.js';

/** An answer as it was given, byte by byte. */
export type StoredAnswer = KeptAnswer;

/** A request that its caller may send again. */
export interface KeyedRequest {
  /** Kind and public id of the credential: one caller never sees the answer of another. */
  readonly actor: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** What else shapes the answer, in a fixed order: query, selecting headers, kind of the body. */
  readonly parameters: readonly string[];
  /** Exactly what was sent; null without a body. */
  readonly body: Uint8Array | null;
}

export interface RequestMarks {
  /** The same for every request of this caller to this route with this key. */
  readonly id: string;
  /** The same only for a repetition of the request. */
  readonly fingerprint: string;
}

/** The digests of a request. */
export function marksOf({ actor, method, path, key, parameters, body }: KeyedRequest): RequestMarks {
  return {
    id: digestOf([actor, method, path, key]),
    fingerprint: digestOf([method, path, ...parameters, sha256Hex(body ?? '')]),
  };
}

/** As JSON the parts cannot run into one another, whatever is in them. */
function digestOf(parts: readonly string[]): string {
  return sha256Hex(JSON.stringify(parts));
}
