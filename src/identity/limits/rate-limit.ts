/** Turns a count into the headers of the limit, and into a refusal when the limit is exceeded. */
import type { Identity } from '../../access/identity.js';
import { AppError } from '../../errors/app-error.js';
import { after } from '../../values/after.js';
import type { Count, CountQuestion, RateCounter } from './counter.js';

export interface RateRule {
  /** 0 = unlimited. */
  readonly max: number;
  readonly windowSeconds: number;
}

export interface RateVerdict {
  readonly headers: Readonly<Record<string, string>>;
  readonly error?: AppError;
}

/** Each value of the caller replaces the general one. */
export function ruleFor(general: RateRule, identity: Identity): RateRule {
  const own = 'rateLimit' in identity ? identity.rateLimit : undefined;
  if (own === undefined) return general;
  return { max: positive(own.max) ?? general.max, windowSeconds: positive(own.windowSeconds) ?? general.windowSeconds };
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}

export function callerBucket(api: string, identity: Identity, address: string): string {
  return identity.kind === 'anonymous' ? `${api}|${address}` : `${api}|${identity.kind}:${identity.id}|${address}`;
}

/** Without a limit no request is counted; the headers say so by zeros. */
export const unlimited: RateVerdict = Object.freeze({
  headers: Object.freeze(rateHeaders({ limit: 0, remaining: 0, reset: 0 })),
});

interface CountedRequest extends Pick<CountQuestion, 'bucket' | 'whenLost'> {
  readonly rule: RateRule;
}

export function countRequest(counter: RateCounter, { rule, ...request }: CountedRequest) {
  const count = counter.count({ ...request, windowMs: rule.windowSeconds * 1000 });
  return after(count, (found) => judge(rule, found));
}

export function judge({ max }: RateRule, { hits, endsOn, leftMs }: Count): RateVerdict {
  const headers = rateHeaders({
    limit: max,
    remaining: Math.max(0, max - hits),
    reset: Math.ceil(endsOn / 1000),
  });
  if (hits <= max) return { headers };
  const retryAfter = Math.max(1, Math.ceil(leftMs / 1000));
  return { headers, error: new AppError('rate_limited', { details: { retryAfter } }) };
}

function rateHeaders(values: { readonly limit: number; readonly remaining: number; readonly reset: number }) {
  return {
    'X-RateLimit-Limit': String(values.limit),
    'X-RateLimit-Remaining': String(values.remaining),
    'X-RateLimit-Reset': String(values.reset),
  };
}

const mostRefused = 100;
const windowMs = 15 * 60_000;

/** Makes a network wait after a hundred refused keys. Unguessable keys pass: a neighbour must not block them. */
export class RefusedKeys {
  readonly #counter: RateCounter;

  constructor(counter: RateCounter) {
    this.#counter = counter;
  }

  /** Returns rate_limited when the network has sent too many, else null. With 0 hits it only looks. */
  async count(network: string, hits: 0 | 1 = 1): Promise<AppError | null> {
    const bucket = `refused-keys|${network}`;
    const count = await this.#counter.count({ bucket, windowMs, hits, whenLost: 'alone' });
    return judge({ max: mostRefused, windowSeconds: windowMs / 1000 }, count).error ?? null;
  }
}
