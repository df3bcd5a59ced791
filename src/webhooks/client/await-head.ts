/**
 * From an opened request to the head of its answer: watches the connection come up, checks where it leads, and names
 * in one word why no answer came.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../clock/clock.js';
import { canonicalAddress } from '../addresses/address.js';
import { readStart } from './read-start.js';

export type ExchangeFailure = 'connect' | 'tls' | 'reset' | 'protocol';

export type Head =
  | { readonly kind: 'head'; readonly response: IncomingMessage; readonly bodyStart: Promise<string> }
  | { readonly kind: 'failed'; readonly reason: ExchangeFailure }
  | { readonly kind: 'aborted' };

export interface HeadQuestion {
  /** Sent already, and still waiting for its connection. */
  readonly request: ClientRequest;
  readonly address: string;
  readonly secure: boolean;
  /** Longest time until the connection stands; absent = as long as the signal lets it. */
  readonly connectMs?: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Interim answers of one request; honest servers send one or two. */
const maxInterim = 20;

/** Never rejects. Whatever is not a head leaves a request that is destroyed. */
export function awaitHead({ request, address, secure, connectMs, clock, signal }: HeadQuestion): Promise<Head> {
  return new Promise((done) => {
    let phase: 'connect' | 'tls' | 'exchange' = 'connect';
    let interim = 0;

    const end = (head: Head): void => {
      timer?.stop();
      signal.removeEventListener('abort', abort);
      if (head.kind !== 'head') request.destroy();
      done(head);
    };
    const fail = (reason: ExchangeFailure): void => end({ kind: 'failed', reason });
    const abort = (): void => end({ kind: 'aborted' });
    const timer = connectMs === undefined ? null : clock.after(connectMs, () => fail('connect'));
    const stands = (): void => {
      phase = 'exchange';
      timer?.stop();
    };
    const watch = (socket: Socket): void => {
      if (request.reusedSocket) {
        stands();
        return;
      }
      // Before anything else hears of the connection, so that nothing is sent to another address.
      socket.prependOnceListener('connect', () => {
        if (canonicalAddress(socket.remoteAddress ?? '') !== canonicalAddress(address)) fail('connect');
        else if (secure) phase = 'tls';
        else stands();
      });
      if (secure) socket.once('secureConnect', stands);
    };

    signal.addEventListener('abort', abort, { once: true });
    request.once('socket', watch);
    request.on('information', () => {
      interim += 1;
      if (interim > maxInterim) fail('protocol');
    });
    // Nobody asked for another protocol.
    request.once('upgrade', () => fail('protocol'));
    request.once('response', (response) => {
      // Now, not when the head is read: the end of the connection may follow in the same turn.
      end({ kind: 'head', response, bodyStart: readStart({ response, clock, signal }) });
    });
    // Stays after the end: destroying a request reports an error of its own.
    request.on('error', (error) => fail(phase === 'exchange' ? reasonOf(error) : phase));
  });
}

function reasonOf(error: Error): ExchangeFailure {
  return 'code' in error && String(error.code).startsWith('HPE_') ? 'protocol' : 'reset';
}
