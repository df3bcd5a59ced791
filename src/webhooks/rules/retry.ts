/** Decides what follows an attempt; the only place that knows the schedule (docs/webhooks.md#when-a-delivery-fails). */
import type { SendOutcome } from '../client/outbound.js';

/** As stored and shown: the next step, and whether the failure counts against the receiver. */
const classes = {
  delivered: { next: 'delivered', isReceiversFault: false },
  /** 3xx: deliveries do not follow. */
  redirected: { next: 'retry', isReceiversFault: true },
  rejected: { next: 'retry', isReceiversFault: true },
  rate_limited: { next: 'retry', isReceiversFault: true },
  gone: { next: 'failed', isReceiversFault: true },
  server_error: { next: 'retry', isReceiversFault: true },
  timeout: { next: 'retry', isReceiversFault: true },
  unreachable: { next: 'retry', isReceiversFault: true },
  /** By our own policy, before anything was sent. */
  refused: { next: 'failed', isReceiversFault: false },
  /** The secret cannot be decrypted, so nothing was sent. */
  unsigned: { next: 'retry', isReceiversFault: false },
  /** The worker had to end immediately; the receiver may have it. */
  interrupted: { next: 'give_back', isReceiversFault: false },
  /** Every allowed attempt was started before: nothing was sent. */
  abandoned: { next: 'failed', isReceiversFault: false },
} as const;

type AttemptClass = keyof typeof classes;

export interface AttemptResult {
  readonly outcome: AttemptClass;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly retryAfter: string | null;
}

export type Decision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'failed' }
  /** Immediately available to others; the attempt does not count. */
  | { readonly kind: 'give_back' };

interface RetryQuestion {
  readonly result: AttemptResult;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** From 0 up to 1. */
  readonly random: number;
  /** Unix milliseconds, for a Retry-After that names a date. */
  readonly now: number;
}

const firstDelayMs = 30_000;
const longestDelayMs = 43_200_000;
/** The delay for an overloaded receiver, and the longest delay for any: a day. */
const overloadedDelayMs = 60_000;
const longestRetryAfterMs = 86_400_000;
const spread = 0.2;

/** Milliseconds after attempt `n` (from 1), before they are spread. */
export function plannedDelay(attempt: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (Math.min(attempt, 30) - 1));
}

export function decide(question: RetryQuestion): Decision {
  const { next } = classes[question.result.outcome];
  if (next !== 'retry') return { kind: next };
  if (question.attempts >= question.maxAttempts) return { kind: 'failed' };
  return { kind: 'retry', delayMs: delayAfter(question) };
}

function delayAfter({ result, attempts, random, now }: RetryQuestion): number {
  const planned = Math.round(plannedDelay(attempts) * (1 - spread + 2 * spread * random));
  const isOverloaded = result.outcome === 'timeout' || result.outcome === 'rate_limited';
  return Math.max(planned, isOverloaded ? overloadedDelayMs : 0, retryAfterMs(result.retryAfter, now) ?? 0);
}

const secondsForm = /^\d{1,15}$/;
/** The date forms of RFC 9110; anything else that Date would read is not a Retry-After. */
const dateForm = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*(?:GMT|\d{4})$/;

/** Milliseconds, a day at most; null for other texts and for the past. */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const wait = secondsForm.test(text) ? Number(text) * 1000 : dateForm.test(text) ? parseDate(text) - now : Number.NaN;
  return wait > 0 ? Math.min(wait, longestRetryAfterMs) : null;
}

/** The one form without a zone means the same one as the others; Date would take that of the machine. */
function parseDate(text: string): number {
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

/** Such failures pause the receiver and, over days, disable it. */
export function isReceiversFault(outcome: AttemptClass): boolean {
  return classes[outcome].isReceiversFault;
}

const reasons = {
  dns: 'The name of the receiver was not found',
  connect: 'No connection to the receiver',
  tls: 'The receiver has no valid certificate',
  reset: 'The receiver ended the connection',
  protocol: 'The answer is not valid HTTP',
  timeout: 'No answer in time',
} as const;

export function classify(outcome: SendOutcome): AttemptResult {
  const nothing = { status: null, answer: null, retryAfter: null };
  switch (outcome.kind) {
    case 'answered': {
      const { status, retryAfter, bodyStart } = outcome;
      const of = classOfStatus(status);
      const error = of === 'delivered' ? null : `HTTP ${status}`;
      return { outcome: of, status, error, answer: bodyStart, retryAfter };
    }
    case 'refused':
      return { ...nothing, outcome: 'refused', error: `The address is ${outcome.reason}` };
    case 'failed': {
      const { reason } = outcome;
      return { ...nothing, outcome: reason === 'timeout' ? reason : 'unreachable', error: reasons[reason] };
    }
    case 'stopped':
      return { ...nothing, outcome: 'interrupted', error: 'The worker stopped' };
  }
}

function classOfStatus(status: number): AttemptClass {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  if (status === 429) return 'rate_limited';
  if (status >= 300 && status < 400) return 'redirected';
  // A status that is not final counts as a fault of the server.
  return status >= 400 && status < 500 ? 'rejected' : 'server_error';
}
