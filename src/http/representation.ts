/** A reply as bytes: serialised once, with its entity tag, ready to be sent and kept. */
import { AppError } from '../errors/app-error.js';
import type { Reply } from './endpoint.js';

export interface Representation {
  readonly status: number;
  /** Null for an answer without body. */
  readonly type: string | null;
  readonly bytes: Buffer;
  /** Strong entity tag of the bytes; null where conditional requests make no sense. */
  readonly etag: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly caching: Reply['caching'];
}

const nothing = Buffer.alloc(0);

export interface RenderOptions {
  readonly sha256: (bytes: Uint8Array) => string;
  /** True for GET and HEAD: only reads have tags. */
  readonly isRead: boolean;
}

/** Serialises the reply. The tag is over the exact bytes, so two representations never share one. */
export function renderReply(reply: Reply, options: RenderOptions): Representation {
  const { type, bytes } = serialise(reply);
  const tagged = options.isRead && reply.status === 200 && reply.caching.kind !== 'never';
  return {
    status: reply.status,
    type,
    bytes,
    etag: tagged ? `"${options.sha256(bytes)}"` : null,
    headers: reply.headers ?? {},
    caching: reply.caching,
  };
}

function serialise({ body }: Reply): { readonly type: string | null; readonly bytes: Buffer } {
  switch (body.kind) {
    case 'json': {
      const text: string | undefined = JSON.stringify(body.value);
      if (text === undefined)
        throw new AppError('internal_error', { cause: new TypeError('the reply is no JSON value') });
      return { type: body.type ?? 'application/json; charset=utf-8', bytes: Buffer.from(text) };
    }
    case 'bytes': {
      const { bytes } = body;
      if (typeof bytes === 'string') return { type: body.type, bytes: Buffer.from(bytes) };
      return { type: body.type, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
    }
    case 'empty':
      return { type: null, bytes: nothing };
  }
}
