/** An answer on its way to the client. */
import type { Reply } from './endpoint.js';

export type Piece = string | Uint8Array;

export interface Pieces {
  next(): Promise<IteratorResult<Piece>>;
  /** Never throws. */
  close(): void;
}

export interface Representation {
  readonly status: number;
  readonly type: string | null;
  /** Text leaves in one write with its headers, which a Buffer would not. */
  readonly body: string | Buffer;
  /** On the wire; null if the body is made while it is sent. */
  readonly length: number | null;
  /** Strong, over the bytes; null if conditional requests make no sense. */
  readonly etag: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly caching: Reply['caching'];
  readonly isCompressible?: boolean;
  /** Of a body that is made while it is sent; reads nothing before its first piece is asked for. */
  readonly open?: () => AsyncIterable<Piece>;
}

export interface Answer {
  readonly representation: Representation;
  readonly age: number;
  readonly pieces?: Pieces;
  /** Most of the head is kept in memory too. */
  readonly isReady?: boolean;
}
