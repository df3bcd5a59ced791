/**
 * One request and its answer over a connection to one checked address; keeps connections for the next. Decides nothing
 * about where a request may go.
 */
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../../clock/clock.js';
import { awaitHead, type ExchangeFailure } from './await-head.js';

export interface ExchangeQuestion {
  readonly secure: boolean;
  /** The checked address: nothing is looked up for it. */
  readonly address: string;
  readonly port: number;
  /** Name for SNI and the certificate; empty for a receiver without a name, whose certificate must hold the address. */
  readonly servername: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** On a connection of its own, for when one that was kept turned out to be dead. */
  readonly fresh: boolean;
  /** Longest time until the connection stands; absent = as long as the signal lets it. */
  readonly connectMs?: number;
  readonly signal: AbortSignal;
}

export type ExchangeEnd =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly bodyStart: string;
    }
  | {
      readonly kind: 'failed';
      readonly reason: ExchangeFailure;
      /** It went over a kept connection, which the receiver may have closed before it saw the request. */
      readonly reused: boolean;
    }
  | { readonly kind: 'aborted' };

export interface Exchanger {
  /** Never rejects; throws at headers that are none. */
  exchange(question: ExchangeQuestion): Promise<ExchangeEnd>;
  close(): void;
}

export interface ExchangerParts {
  readonly clock: Clock;
  /** Certificates of authorities that are trusted in the place of the usual ones. */
  readonly authorities?: readonly string[];
}

/** Shorter than the time after which common servers close a kept connection. */
const idleMs = 4000;
const maxHeaderSize = 16_384;
const longestRetryAfter = 100;

type OpenRequest = typeof httpRequest;

/** Connections are kept by checked address, port and server name: a name never inherits one from another check. */
export function openExchanger({ clock, authorities }: ExchangerParts): Exchanger {
  const kept = { keepAlive: true, timeout: idleMs, maxFreeSockets: 16 };
  const tls = {
    // Said here because an environment variable could switch it off.
    rejectUnauthorized: true,
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(authorities === undefined ? {} : { ca: [...authorities] }),
    }),
  };
  const plain = { open: httpRequest, kept: new HttpAgent(kept), fresh: new HttpAgent() };
  const secure = {
    open: httpsRequest satisfies OpenRequest,
    kept: new HttpsAgent({ ...kept, ...tls }),
    fresh: new HttpsAgent(tls),
  };
  return {
    async exchange(question) {
      const { open, kept: keeping, fresh } = question.secure ? secure : plain;
      const request = open({ ...optionsOf(question), agent: question.fresh ? fresh : keeping });
      request.end(question.body);
      const head = await awaitHead({ ...question, request, clock });
      if (head.kind === 'aborted') return head;
      if (head.kind === 'failed') return { ...head, reused: request.reusedSocket };
      const { response } = head;
      const bodyStart = await head.bodyStart;
      // Answered before it had the whole request: the rest would wait in memory for as long as the receiver likes.
      if (!request.writableFinished) request.destroy();
      const retryAfter = response.headers['retry-after']?.slice(0, longestRetryAfter) ?? null;
      return { kind: 'answered', status: response.statusCode ?? 0, retryAfter, bodyStart };
    },
    close() {
      for (const agent of [plain.kept, plain.fresh, secure.kept, secure.fresh]) agent.destroy();
    },
  };
}

function optionsOf(question: ExchangeQuestion): RequestOptions & { readonly servername: string } {
  const { address, port, servername, target, headers, body } = question;
  return {
    method: 'POST',
    host: address,
    port,
    servername,
    path: target,
    headers: { ...headers, 'Content-Length': body.length, 'Accept-Encoding': 'identity' },
    maxHeaderSize,
    insecureHTTPParser: false,
  };
}
