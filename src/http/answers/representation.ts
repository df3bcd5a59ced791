/** A reply, and what it becomes for the wire, with its entity tag; and tags in If-None-Match and If-Match. */
import type { ServerResponse } from 'node:http';
import { sha256Hex } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import type { Piece, Pieces, Reply, Representation } from '../interface/endpoint.js';

export function jsonReply(value: unknown, caching: Reply['caching']): Reply {
  return { status: 200, body: { kind: 'json', value }, caching };
}

export function textReply(type: string, text: string, caching: Reply['caching']): Reply {
  return { status: 200, body: { kind: 'bytes', type: `${type}; charset=utf-8`, bytes: text }, caching };
}

export function htmlReply(
  html: string,
  { policy, caching }: { readonly policy: string; readonly caching: Reply['caching'] },
): Reply {
  return { ...textReply('text/html', html, caching), headers: { 'Content-Security-Policy': policy } };
}

/** From here on, encoding a text once for digest, length and wire is worth more than one write with its headers. */
const largeText = 16_384;

/** Events are sent one by one, so their streams are not compressed. */
const textType =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml)\b|image\/svg\+xml)/;
/** Smaller bodies fit into one or two packets anyway. */
const leastBytes = 2048;

export function isText(type: string | null, headers: Reply['headers']): boolean {
  return type !== null && textType.test(type) && !/\bno-transform\b/i.test(headers?.['Cache-Control'] ?? '');
}

/** The tag is over the exact bytes, so two representations never share one. */
export function renderReply(reply: Reply, { isRead }: { readonly isRead: boolean }): Representation {
  const { type, body } = serialise(reply);
  const stream = reply.body.kind === 'stream' ? reply.body : undefined;
  const isWhole = reply.status === 200 && stream === undefined;
  const tagged = isRead && isWhole && reply.caching.kind !== 'never';
  const whole = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const length = stream === undefined ? whole : (stream.known?.length ?? null);
  return {
    status: reply.status,
    type,
    body,
    length,
    etag: stream?.known?.tag ?? (tagged ? (knownTag(reply) ?? tagOf(body)) : null),
    headers: reply.headers ?? {},
    caching: reply.caching,
    isCompressible: (length === null || length >= leastBytes) && isText(type, reply.headers),
    ...(stream === undefined ? {} : { open: stream.open }),
  };
}

/** The tag of the form that the client has; null if it has none, or an older one. */
export function tagAtClient(
  { etag, headers }: Pick<Representation, 'etag' | 'headers'>,
  header: (name: string) => string | undefined,
): string | null {
  if (etag === null) return null;
  const tags = header('if-none-match');
  if (tags !== undefined) return matchingTag(tags, etag);
  const since = Date.parse(header('if-modified-since') ?? '');
  return Date.parse(headers['Last-Modified'] ?? '') <= since ? etag : null;
}

export function entityTag(reply: Pick<Reply, 'body'>): string {
  return tagOf(serialise(reply).body);
}

function knownTag({ body }: Pick<Reply, 'body'>): string | undefined {
  return body.kind === 'bytes' ? body.tag : undefined;
}

function tagOf(body: string | Buffer): string {
  return `"${sha256Hex(body)}"`;
}

export function serialise({ body }: Pick<Reply, 'body'>): {
  readonly type: string | null;
  readonly body: string | Buffer;
} {
  switch (body.kind) {
    case 'json': {
      const text: string | undefined = JSON.stringify(body.value);
      if (text === undefined)
        throw new AppError('internal_error', { cause: new TypeError('the reply is not a JSON value') });
      const sent = text.length > largeText ? Buffer.from(text) : text;
      return { type: body.type ?? 'application/json; charset=utf-8', body: sent };
    }
    case 'bytes': {
      const { bytes } = body;
      if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) return { type: body.type, body: bytes };
      return { type: body.type, body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
    }
    case 'stream':
      return { type: body.type, body: '' };
    case 'empty':
      return { type: null, body: '' };
  }
}

/** An element may be empty (RFC 9110, 5.6.1.2). */
const listMember = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/** Its own tag, or that of a compressed form. Text that is not a list of tags matches nothing. */
export function matchingTag(header: string | undefined, tag: string): string | null {
  if (header === undefined) return null;
  if (header === tag || header.trim() === '*') return tag;
  return findMember(header, (member) => withoutCoding(member) === tag);
}

function withoutCoding(tag: string): string {
  return tag.replace(/-(?:br|gzip|zstd)"$/, '"');
}

/** Our tags are strong: a weak one was weakened by a proxy that compressed the answer. */
export function allowsChange(header: string, tag: string | null): boolean {
  if (header.trim() === '*') return true;
  return findMember(header, (member) => withoutCoding(member) === tag) !== null;
}

function findMember(header: string, isIt: (member: string) => boolean): string | null {
  listMember.lastIndex = 0;
  let found: string | null = null;
  while (listMember.lastIndex < header.length) {
    const [whole, member = ''] = listMember.exec(header) ?? [];
    if (whole === undefined) return null;
    if (found === null && isIt(member)) found = member;
  }
  return found;
}

interface Sending {
  readonly res: ServerResponse;
  readonly pieces: Pieces;
  /** The connection then ends with this answer. */
  readonly isDraining: () => boolean;
}

/** Sends a body no faster than the client takes it; a failure ends the connection, so half a body never seems whole. */
export async function openPieces(source: AsyncIterable<Piece>): Promise<Pieces> {
  const iterator = source[Symbol.asyncIterator]();
  let first: IteratorResult<Piece> | undefined = await iterator.next();
  return {
    async next() {
      const piece = first ?? (await iterator.next());
      first = undefined;
      return piece;
    },
    close() {
      // No reader is left for the failure.
      void iterator.return?.()?.catch(() => undefined);
    },
  };
}

/** Never rejects; returns the error of the production. */
export async function sendPieces(sending: Sending): Promise<unknown> {
  const { res, pieces, isDraining } = sending;
  try {
    for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) {
      if (!isOpen(res)) break;
      if (res.write(piece.value)) await turn();
      else await drained(sending);
      if (!isOpen(res)) break;
    }
  } catch (error) {
    res.destroy();
    return error;
  }
  if (!isOpen(res)) {
    pieces.close();
    return undefined;
  }
  const { socket } = res;
  await new Promise<void>((resolve) => {
    res.once('close', resolve);
    res.end(resolve);
  });
  // The answer began before the end was announced, so its head could not say that the connection ends with it.
  if (isDraining()) socket?.end();
  return undefined;
}

function isOpen(res: ServerResponse): boolean {
  return !res.destroyed && !res.closed;
}

/** Pages from memory would otherwise follow each other without a pause. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function drained({ res }: Sending): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.once('drain', done);
    res.once('close', done);
    if (!isOpen(res)) done();
  });
}
