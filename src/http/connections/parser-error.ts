/** Answers requests that Node's parser refuses: they never reach the stages, so the bytes are written here. */
import type { Duplex } from 'node:stream';
import { randomId } from '../../crypto/primitives.js';
import { AppError, unencodedAddress } from '../../errors/app-error.js';
import { renderReply } from '../answers/representation.js';
import type { RenderError } from '../interface/api.js';
import type { HttpPorts, Lifecycle } from '../interface/request-state.js';
import type { Connections } from './connections.js';

interface ParserRefusal {
  readonly error: NodeJS.ErrnoException;
  readonly socket: Duplex;
  readonly lifecycle: Lifecycle;
  readonly connections: Connections;
  readonly ports: HttpPorts;
  readonly unmounted: RenderError;
}

/** Bytes written now are the answer that the client waits for: nothing else is under way on the connection. */
function isFree(socket: Duplex, { inFlight, connectionOf }: Lifecycle): boolean {
  const { latest: last } = connectionOf(socket);
  if (last === undefined) return true;
  if (last.answered) return last.req.complete && ![...inFlight].some(({ req }) => req.socket === socket);
  if (last.req.complete || [...inFlight].some((other) => other !== last && other.req.socket === socket)) return false;
  last.answered = true;
  last.abort();
  inFlight.delete(last);
  return true;
}

interface Meaning {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

export function answerParserError(refused: ParserRefusal): void {
  const { error, socket, lifecycle, connections, ports, unmounted } = refused;
  const isLost = error.code === 'ECONNRESET' || !socket.writable || connections.hasWaiting(socket);
  if (isLost || !isFree(socket, lifecycle)) {
    socket.destroy();
    return;
  }
  const meaning = meaningOf(error.code);
  const requestId = randomId();
  const refusal = new AppError('bad_request', { message: meaning.message });
  const reply = unmounted(refusal, { requestId, path: '', status: meaning.status });
  const { body, length, type } = renderReply(reply, { isRead: false });
  const head = [
    `HTTP/1.1 ${meaning.status} ${meaning.reason}`,
    `Date: ${new Date(ports.clock.now()).toUTCString()}`,
    `X-Request-ID: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: no-referrer',
    `Content-Type: ${type ?? 'text/plain; charset=utf-8'}`,
    `Content-Length: ${length}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]));
  ports.log({
    kind: 'request_finished',
    requestId,
    api: 'none',
    method: '',
    route: null,
    status: meaning.status,
    durationMs: 0,
    identity: 'anonymous',
    refusal: { check: 'form', error: refusal },
  });
}

function meaningOf(code: string | undefined): Meaning {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, reason: 'Request Timeout', message: 'The request did not arrive in time' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, reason: 'Request Header Fields Too Large', message: 'The headers are too large' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, reason: 'Payload Too Large', message: 'The chunk extensions are too large' };
    case 'HPE_INVALID_URL':
      return { status: 400, reason: 'Bad Request', message: unencodedAddress().message };
    default:
      return { status: 400, reason: 'Bad Request', message: 'The request is not valid HTTP/1.1' };
  }
}
