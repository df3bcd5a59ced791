/** One attempt: signs the stored body with the current time and sends it. Changes no row. */
import { type Clock, unixSeconds } from '../../clock/clock.js';
import type { Sealer } from '../../crypto/seal.js';
import type { OutboundPolicy } from '../addresses/outbound-policy.js';
import type { OutboundRequest, SendOutcome } from '../client/outbound.js';
import { type AttemptResult, classify } from '../rules/retry.js';
import { deliveryHeaders } from '../rules/signatures.js';
import { type ClaimedDelivery, leaseMs, sendDeadlineMs } from './claim.js';

export interface DeliverDeps {
  readonly send: (request: OutboundRequest) => Promise<SendOutcome>;
  readonly sealer: Pick<Sealer, 'unseal'>;
  readonly clock: Clock;
  readonly policy: () => OutboundPolicy;
  readonly keepsAnswers: () => boolean;
  readonly stop: AbortSignal;
}

interface DeliverQuestion {
  readonly delivery: ClaimedDelivery;
  readonly maxAttempts: number;
  /** By the clock that never goes back. */
  readonly claimedAt: number;
}

export interface Attempt extends AttemptResult {
  readonly durationMs: number;
}

const nothing = { status: null, answer: null, retryAfter: null };

/** Never rejects because of the receiver. */
export async function deliver(deps: DeliverDeps, question: DeliverQuestion): Promise<Attempt> {
  const started = deps.clock.elapsed();
  const result = await attempt(deps, question);
  return { ...result, durationMs: Math.round(deps.clock.elapsed() - started) };
}

async function attempt(deps: DeliverDeps, question: DeliverQuestion): Promise<AttemptResult> {
  const { send, clock, policy, keepsAnswers, stop } = deps;
  const { delivery, maxAttempts, claimedAt } = question;
  if (delivery.attempts > maxAttempts) {
    // No worker survived the last attempts, or fewer are allowed since then.
    const error = `Given up: ${maxAttempts} attempts were started before, and more are not allowed`;
    return { ...nothing, outcome: 'abandoned', error };
  }
  // A process that stood still may have lost the lease: another one may be sending now.
  if (stop.aborted || clock.elapsed() - claimedAt > leaseMs - sendDeadlineMs) {
    return { ...nothing, outcome: 'interrupted', error: 'The worker was too late to send it' };
  }
  const secrets = openSecrets(deps.sealer, delivery.secrets);
  if ('problem' in secrets) return { ...nothing, outcome: 'unsigned', error: secrets.problem };
  const { id, eventId, event, body, url, traceparent } = delivery;
  const timestamp = unixSeconds(clock);
  const headers = deliveryHeaders({ eventId, event, deliveryId: id, body, secrets: secrets.texts, timestamp });
  const request = { url, headers, body, traceparent, policy: policy(), deadlineMs: sendDeadlineMs, signal: stop };
  const result = classify(await send(request));
  return keepsAnswers() ? result : { ...result, answer: null };
}

function openSecrets(
  sealer: Pick<Sealer, 'unseal'>,
  sealed: readonly string[],
): { readonly texts: readonly string[] } | { readonly problem: string } {
  const texts: string[] = [];
  for (const one of sealed) {
    const opened = sealer.unseal(one);
    if (opened.kind === 'opened') texts.push(opened.text);
    else if (opened.kind === 'foreign') {
      return {
        problem:
          'The secret was stored under another root secret: set HCD_SECRET as it was, or run hcd webhook rotate-secret',
      };
    } else return { problem: 'The stored secret is damaged: run hcd webhook rotate-secret' };
  }
  return { texts };
}
