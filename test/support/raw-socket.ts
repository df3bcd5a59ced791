/** Bytes to a server and what comes back, for requests that no HTTP client would send. */
import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the connection was closed without an answer. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The server closed the connection after this answer. */
  readonly closed: boolean;
  /** Everything that came, for more than one answer. */
  readonly text: string;
}

export interface RawOptions {
  readonly port: number;
  readonly bytes: string | Buffer;
  /** The answer to HEAD has no body whatever its length says. */
  readonly head?: boolean;
  /** Waits for the end of the connection, for several answers. */
  readonly untilClose?: boolean;
}

/** Sends the bytes and waits for one whole answer or for the end of the connection. */
export function sendRaw({ port, bytes, head = false, untilClose = false }: RawOptions): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let done = false;
    const finish = (closed: boolean): void => {
      if (done) return;
      done = true;
      socket.destroy();
      resolve(readAnswer(Buffer.concat(chunks).toString('latin1'), closed));
    };
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const answer = readAnswer(Buffer.concat(chunks).toString('latin1'), false);
      // An answer that announces the end is complete when the connection is.
      if (!untilClose && answer.headers.get('connection') !== 'close' && isComplete(answer, head)) finish(false);
    });
    socket.on('close', () => finish(true));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish(true);
      else reject(error);
    });
  });
}

/** A GET of the path with one more header line block, as raw bytes. */
export function rawGet(path: string, lines: readonly string[] = []): string {
  return `${[`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`;
}

function isComplete({ status, headers, body, text }: RawAnswer, head: boolean): boolean {
  if (!text.includes('\r\n\r\n')) return false;
  if (head || status === 204 || status === 304) return true;
  return body.length >= Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
}

function readAnswer(received: string, closed: boolean): RawAnswer {
  // An interim answer is not the answer.
  const text = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    body: end < 0 ? '' : text.slice(end + 4),
    closed,
    text,
  };
}
