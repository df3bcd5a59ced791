/**
 * Reads the body of a request for the endpoints that declare one: after the checks, so that nobody without rights makes
 * the server read, and measured while it arrives. Other requests keep their bodies to themselves.
 */
import type { Middleware } from 'koa';
import { AppError } from '../../errors/app-error.js';
import type { Exchange } from '../exchange.js';
import { bodyType, malformedBody, parseBody } from '../request-body.js';
import { discardBody, hasBody } from './edge.js';
import type { Stage, StageState } from './state.js';

/** Where the API has no limit of its own. */
const defaultMaxBytes = 1_048_576;

/** Throws unsupported_media_type, payload_too_large, and validation_failed for a body that is missing or malformed. */
export function readBody(): Stage {
  // The limit is a live setting, and the reader is made for one.
  let reader: { readonly limit: number; readonly read: Middleware } | undefined;
  return function readBody(ctx, next) {
    const { exchange } = ctx.state;
    const request = exchange.match?.route.endpoint.request;
    if (request === undefined) return next();
    if (hasBody(ctx.req)) return read(ctx, request.types).then(next);
    if (request.required) throw malformedBody(`The request needs a body: ${request.types.join(' or ')}`);
    return next();
  };

  async function read(ctx: Parameters<Stage>[0], types: readonly string[]): Promise<void> {
    const { exchange } = ctx.state;
    const limit = exchange.located?.mounted?.policy.maxBodyBytes ?? defaultMaxBytes;
    try {
      const headers = { type: exchange.header('content-type'), encoding: exchange.header('content-encoding') };
      const type = bodyType(headers, types);
      if (Number(exchange.header('content-length') ?? 0) > limit) throw tooLarge(limit);
      if (reader?.limit !== limit) reader = { limit, read: await makeReader(limit) };
      await reader.read(ctx, async () => undefined);
      exchange.body = parseBody(bytesOf(ctx), type);
    } catch (error) {
      // What still arrives of a refused body is taken off the wire, else the client may never see why.
      if (!ctx.req.readableEnded) discardBody(ctx.req);
      throw error;
    }
  }
}

/**
 * Takes every type as text of one character a byte: types are checked here, and decoding must not replace what is no
 * UTF-8. Parsing is ours, since two parsers could understand one body differently. The library is loaded with the first
 * body: it is a tenth of the memory of a server that is only read from.
 */
async function makeReader(limit: number): Promise<Middleware> {
  const { koaBody } = await import('koa-body');
  return koaBody({
    text: true,
    textTypes: ['*/*'],
    textLimit: limit,
    encoding: 'latin1',
    json: false,
    urlencoded: false,
    multipart: false,
    patchNode: false,
    patchKoa: true,
    onError(error, ctx: { readonly state: StageState }) {
      throw readingError(error, { limit, exchange: ctx.state.exchange });
    },
  });
}

/** The reader puts the text where Koa programs look for it. */
function bytesOf(ctx: { readonly request: object }): Uint8Array {
  const { request } = ctx;
  const text = 'body' in request ? request.body : undefined;
  return Buffer.from(typeof text === 'string' ? text : '', 'latin1');
}

/** By the reader's own types of error. */
function readingError(error: Error, { limit, exchange }: { limit: number; exchange: Exchange }): AppError {
  const type = 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return tooLarge(limit);
    case 'request.aborted':
    case 'request.size.invalid':
      exchange.closing = true;
      return new AppError('bad_request', { message: 'The body ended too early', cause: error });
    default:
      return new AppError('internal_error', { cause: error });
  }
}

function tooLarge(limit: number): AppError {
  return new AppError('payload_too_large', { message: `The body is larger than ${limit} bytes` });
}
