/** One request over a connection to one checked address. Does not decide where a request may go. */

import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../../clock/clock.js';
import { canonicalAddress } from '../addresses/address.js';

export interface ExchangeQuestion {
  readonly secure: boolean;
  /** The checked address: it is not looked up. */
  readonly address: string;
  readonly port: number;
  /** Name for SNI and the certificate; empty for an address, which the certificate must then hold. */
  readonly servername: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** On a new connection, after a kept one turned out to be dead. */
  readonly fresh: boolean;
  /** Time until the connection is established; absent = as long as the signal lets it. */
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
      /** The receiver may have closed a kept connection before it saw the request. */
      readonly reused: boolean;
    }
  | { readonly kind: 'aborted' };

export interface Exchanger {
  /** Never rejects; throws for invalid headers. */
  exchange(question: ExchangeQuestion): Promise<ExchangeEnd>;
  close(): void;
}

interface ExchangerParts {
  readonly clock: Clock;
  /** Trusted instead of the usual authorities. */
  readonly authorities?: readonly string[];
}

/** Shorter than the time after which common servers close a kept connection. */
const idleMs = 4000;
const maxHeaderSize = 16_384;
const longestRetryAfter = 100;

/** A name never inherits a connection from another check: the key holds address, port and server name. */
export function openExchanger({ clock, authorities }: ExchangerParts): Exchanger {
  const kept = { keepAlive: true, timeout: idleMs, maxFreeSockets: 16 };
  const tls = {
    // An environment variable could turn it off.
    rejectUnauthorized: true,
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(authorities === undefined ? {} : { ca: [...authorities] }),
    }),
  };
  const plain = { open: httpRequest, kept: new HttpAgent(kept), fresh: new HttpAgent() };
  const secure = { open: httpsRequest, kept: new HttpsAgent({ ...kept, ...tls }), fresh: new HttpsAgent(tls) };
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
      // After an early answer, the rest of the request would wait in memory for as long as the receiver likes.
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

type ExchangeFailure = 'connect' | 'tls' | 'reset' | 'protocol';

type Head =
  | { readonly kind: 'head'; readonly response: IncomingMessage; readonly bodyStart: Promise<string> }
  | { readonly kind: 'failed'; readonly reason: ExchangeFailure }
  | { readonly kind: 'aborted' };

type HeadQuestion = Pick<ExchangeQuestion, 'address' | 'secure' | 'connectMs' | 'signal'> & {
  readonly request: ClientRequest;
  readonly clock: Clock;
};

/** Interim answers of one request; honest servers send one or two. */
const maxInterim = 20;

/** Never rejects. Without a head of an answer the request is destroyed. */
function awaitHead({ request, address, secure, connectMs, clock, signal }: HeadQuestion): Promise<Head> {
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
    const established = (): void => {
      phase = 'exchange';
      timer?.stop();
    };
    const watch = (socket: Socket): void => {
      if (request.reusedSocket) {
        established();
        return;
      }
      // Before any other listener gets the connection, so that nothing is sent to another address.
      socket.prependOnceListener('connect', () => {
        if (canonicalAddress(socket.remoteAddress ?? '') !== canonicalAddress(address)) fail('connect');
        else if (secure) phase = 'tls';
        else established();
      });
      if (secure) socket.once('secureConnect', established);
    };

    signal.addEventListener('abort', abort, { once: true });
    request.once('socket', watch);
    request.on('information', () => {
      interim += 1;
      if (interim > maxInterim) fail('protocol');
    });
    // The request did not ask for another protocol.
    request.once('upgrade', () => fail('protocol'));
    request.once('response', (response) => {
      // At once: the end of the connection may follow in the same turn.
      end({ kind: 'head', response, bodyStart: readStart(response, { clock, signal }) });
    });
    // Stays after the end: destroying a request reports an error of its own.
    request.on('error', (error) => fail(phase === 'exchange' ? reasonOf(error) : phase));
  });
}

function reasonOf(error: Error): ExchangeFailure {
  return 'code' in error && String(error.code).startsWith('HPE_') ? 'protocol' : 'reset';
}

const keptBytes = 4096;
/** Reading more to keep a connection costs more than closing it. */
const maxDrained = 65_536;
const bodyMs = 2000;

const notShown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]+/gu;

/** Text that is safe in logs and terminals. Never rejects: a broken body does not change the status. */
function readStart(
  response: IncomingMessage,
  { clock, signal }: Pick<HeadQuestion, 'clock' | 'signal'>,
): Promise<string> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let finished = false;

    const finish = (): void => {
      if (finished) return;
      finished = true;
      timer.stop();
      signal.removeEventListener('abort', finish);
      if (!response.complete) response.destroy();
      done(isCompressed(response) ? '' : plainText(Buffer.concat(chunks).subarray(0, keptBytes)));
    };
    const timer = clock.after(bodyMs, finish);

    signal.addEventListener('abort', finish, { once: true });
    response.on('data', (chunk: Buffer) => {
      if (size < keptBytes) chunks.push(chunk);
      size += chunk.length;
      if (size > maxDrained) finish();
    });
    response.on('end', finish);
    response.on('error', finish);
    response.on('close', finish);
  });
}

function isCompressed({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding !== undefined && encoding !== '' && encoding !== 'identity';
}

/** Controls, marks that reorder text and what is not UTF-8 become one space each run. */
function plainText(bytes: Buffer): string {
  return bytes.toString('utf8').replace(notShown, ' ').trim();
}
