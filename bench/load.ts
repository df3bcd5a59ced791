/** The one client: keep-alive connections that ask one question after the other. It does little, and leaves the machine to the servers. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { quarterOf } from './figures.js';
import { pause } from './servers.js';

export interface Question {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** The load ends after so many requests, or after so many seconds. */
  readonly requests?: number;
  readonly seconds?: number;
  /** Milliseconds between two requests, by the clock; else each connection asks as soon as it has its answer. */
  readonly everyMs?: number;
  /** Address of this machine that the requests come from. */
  readonly from?: string;
  readonly question: (turn: number) => Question;
  /** Hears of every status, 0 of a broken connection; without it a status from 400 on ends the load with an Error. */
  readonly onStatus?: (status: number, turn: number) => void;
}

export interface Loaded {
  readonly answers: number;
  readonly seconds: number;
  /** The time below which 99 of 100 answers came, in microseconds; with `everyMs` since a request was due. */
  readonly p99: number;
}

interface Run extends Load {
  readonly started: number;
  readonly times: number[];
  /** The number of the next request; undefined when the load is over. */
  next(): number | undefined;
}

export async function load(asked: Load): Promise<Loaded> {
  const { requests = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY } = asked;
  const started = performance.now();
  let turn = 0;
  let isOver = false;
  const next = (): number | undefined => {
    isOver ||= turn >= requests || performance.now() - started >= seconds * 1000;
    if (isOver) return undefined;
    turn += 1;
    return turn - 1;
  };
  const run: Run = { ...asked, started, times: [], next };
  const client = async (): Promise<void> => {
    while (!isOver) await useConnection(run);
  };
  await Promise.all(Array.from({ length: asked.connections }, client));
  const { times } = run;
  return {
    answers: times.length,
    seconds: (performance.now() - started) / 1000,
    p99: quarterOf(times, 3.96) * 1000,
  };
}

export interface Whole {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One request with its whole answer. */
export function ask(port: number, { method = 'GET', path, headers = {} }: Question): Promise<Whole> {
  const asked = {
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { ...headers },
    agent: false,
    maxHeaderSize: 2 ** 20,
  };
  return new Promise((resolve, reject) => {
    const sent = request(asked, async (answer) => {
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece);
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Resolves when the connection has ended, or the load is over. */
function useConnection({ port, from, started, times, everyMs, next, question, onStatus }: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ...(from === undefined ? {} : { localAddress: from }) });
    const read = answerReader();
    let turn: number | undefined;
    let path = '';
    let sent = 0;
    const askNext = async (): Promise<void> => {
      turn = next();
      if (turn === undefined) return void socket.destroy();
      sent = performance.now();
      if (everyMs !== undefined) {
        sent = started + turn * everyMs;
        await pause(sent - performance.now());
      }
      const asked = question(turn);
      path = asked.path;
      send(socket, asked, port);
    };
    socket.setNoDelay(true);
    socket.on('connect', askNext);
    socket.on('data', (piece) => {
      const answer = read(piece);
      if (answer === undefined || turn === undefined) return;
      const { status, isLast } = answer;
      times.push(performance.now() - sent);
      if (onStatus !== undefined) onStatus(status, turn);
      else if (!(status < 400)) reject(new Error(`${path} was answered with ${status}`));
      turn = undefined;
      if (isLast) socket.destroy();
      else void askNext();
    });
    socket.on('error', (error) => {
      if (onStatus === undefined) reject(error);
    });
    socket.on('close', () => {
      if (turn === undefined) return resolve();
      if (onStatus === undefined) reject(new Error('a connection ended before its answer'));
      onStatus?.(0, turn);
      // A server that closes connections must not be met by a storm of new ones.
      setTimeout(resolve, lookMs);
    });
  });
}

const lookMs = 20;

function send(socket: Socket, { method = 'GET', path, headers = {}, body }: Question, port: number): void {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const fields = Object.entries({ host: `127.0.0.1:${port}`, ...length, ...headers });
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`);
}

interface Answer {
  readonly status: number;
  /** Whether the server ends the connection after it. */
  readonly isLast: boolean;
}

/** Takes the pieces of answers, whose lengths are in their heads, and gives each answer when it is whole. */
function answerReader(): (piece: Buffer) => Answer | undefined {
  let held: Buffer = Buffer.alloc(0);
  let answer: Answer | undefined;
  let missing = 0;
  return (piece) => {
    let body = piece;
    if (answer === undefined) {
      held = held.length === 0 ? piece : Buffer.concat([held, piece]);
      const end = held.indexOf('\r\n\r\n');
      if (end < 0) return undefined;
      const head = held.toString('latin1', 0, end);
      answer = { status: Number(head.slice(9, 12)), isLast: /\r\nconnection: close/i.test(head) };
      missing = Number(/\r\ncontent-length: (\d+)/i.exec(answer.status === 304 ? '' : head)?.[1] ?? 0);
      body = held.subarray(end + 4);
      held = Buffer.alloc(0);
    }
    missing -= body.length;
    if (missing > 0) return undefined;
    const whole = answer;
    answer = undefined;
    return whole;
  };
}
