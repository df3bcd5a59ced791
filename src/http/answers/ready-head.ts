/** Heads of answers as text: building each in Node takes up to a quarter of the time of an answer from memory. */
import { type ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';

/** A joined text is kept as its parts, which are gathered each time it is sent. */
export function inOnePiece(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

export function joinLines(headers: readonly string[]): string {
  let lines = '';
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}

/** Throws for what no header may have, as Node does. */
export function headerLines(headers: readonly string[]): string {
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return joinLines(headers);
}

/** Only on a connection that stays open, and in HTTP/1.1. */
export function takesReadyHead(res: ServerResponse): boolean {
  return res.shouldKeepAlive && res.req.httpVersion === '1.1' && res.socket !== null && !res.headersSent;
}

/** Adds the first line, and the lines that Node adds to every answer. */
export function makeCompleteHead(now: () => number, keepAliveMs: number): (status: number, lines: string) => string {
  let second = Number.NaN;
  let end = '';
  return (status, lines) => {
    const newest = Math.floor(now() / 1000);
    if (newest !== second) {
      second = newest;
      const date = new Date(newest * 1000).toUTCString();
      const seconds = Math.floor(keepAliveMs / 1000);
      end = inOnePiece(`Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`);
    }
    return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}${end}`;
  };
}

/** Node copies a text instead of converting it if each character is a byte; it ignores the encoding of a Buffer. */
export function encodingOf(body: string | Buffer, bytes: number): 'latin1' | 'utf8' {
  return body.length === bytes ? 'latin1' : 'utf8';
}

interface ReadyAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string | Buffer;
  readonly length: number;
}

/** False if this Node does not take a finished head: there is no public way, but `headersSent` shows it. */
export function sendReady(res: ServerResponse, { status, head, body, length }: ReadyAnswer): boolean {
  Reflect.set(res, '_header', head);
  if (!res.headersSent) return false;
  res.statusCode = status;
  const { socket } = res;
  if (body !== '' && socket !== null) {
    socket.cork();
    res.write(body, encodingOf(body, length));
    socket.uncork();
  }
  res.end();
  return true;
}
