/** Reads the body after the checks, so that a caller without rights cannot make the server read. */
import { finished } from 'node:stream/promises';
import type { Middleware } from 'koa';
import { AppError } from '../../errors/app-error.js';
import type { JsonLimits } from '../../values/json-reader.js';
import { defaultJsonLimits, readStrictJson } from '../../values/strict-json.js';
import { formType, jsonType, mergePatchType, type RequestBody, type RequestDoc } from '../interface/endpoint.js';
import type { Exchange, Stage, StageState } from '../interface/exchange.js';
import { isReadable, parseQuery, type QueryPair } from '../interface/query-pairs.js';
import { discardBody, hasBody } from './edge.js';

const mostPairs = 200;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const defaultMaxBytes = 1_048_576;

/** Throws unsupported_media_type, payload_too_large, and validation_failed for a body that is malformed. */
export function readBody(): Stage {
  // A reader is made for one limit, and limits are live settings.
  const readers = new Map<number, Middleware>();
  return function readBody(ctx, next) {
    const { exchange } = ctx.state;
    const request = exchange.match?.route.endpoint.request;
    // A request that timed out has been answered: it must have no effect when the rest of its body arrives.
    const goOn = () => (exchange.answered ? undefined : next());
    if (request === undefined) return hasBody(ctx.req) ? skip(ctx).then(goOn) : next();
    if (hasBody(ctx.req)) return read(ctx, request).then(goOn);
    const json = jsonLimits(exchange);
    const type = bodyType({ type: exchange.header('content-type'), encoding: undefined }, typesOf(exchange, request));
    exchange.body = parseBody(new Uint8Array(), { type, json });
    return next();
  };

  /** Only the end of the body shows that a request is valid HTTP. An invalid one has no effect. */
  async function skip({ req, state: { exchange } }: Parameters<Stage>[0]): Promise<void> {
    // For GET and HEAD the edge has already started.
    if (!exchange.isRead) discardBody(req);
    try {
      await finished(req, { writable: false });
    } catch (error) {
      exchange.closing = true;
      throw endedEarly(error);
    }
  }

  async function read(ctx: Parameters<Stage>[0], request: RequestDoc): Promise<void> {
    const { exchange } = ctx.state;
    const allowed = exchange.located?.mounted?.policy.maxBodyBytes ?? defaultMaxBytes;
    const limit = Math.min(allowed, request.maxBytes ?? allowed);
    try {
      const headers = { type: exchange.header('content-type'), encoding: exchange.header('content-encoding') };
      const type = bodyType(headers, typesOf(exchange, request));
      if (Number(exchange.header('content-length') ?? 0) > limit) throw tooLarge(limit);
      const reader = readers.get(limit) ?? (await makeReader(limit));
      readers.set(limit, reader);
      // The reader takes no body without a type.
      ctx.req.headers['content-type'] = type;
      await reader(ctx, async () => undefined);
      exchange.body = parseBody(bytesOf(ctx), { type, json: jsonLimits(exchange) });
    } catch (error) {
      // What still arrives of a refused body is taken off the wire, else the client may never see why.
      if (!ctx.req.readableEnded) discardBody(ctx.req);
      throw error;
    }
  }
}

function typesOf({ method }: Exchange, { types }: RequestDoc): readonly string[] {
  return method === 'PATCH' && types.includes(jsonType) ? [...types, mergePatchType] : types;
}

function jsonLimits({ located }: Exchange): JsonLimits {
  return located?.mounted?.policy.json ?? defaultJsonLimits;
}

/** Bytes only: two parsers could understand one body differently. Loaded with the first body, to save memory. */
async function makeReader(limit: number): Promise<Middleware> {
  const { koaBody } = await import('koa-body');
  return koaBody({
    text: true,
    textTypes: ['*/*'],
    textLimit: limit,
    // An empty name means no decoding, which would cost more than all the rest of reading.
    encoding: '',
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

/** The reader puts them where Koa programs look for a body. */
function bytesOf(ctx: { readonly request: object }): Uint8Array {
  const { request } = ctx;
  const bytes = 'body' in request ? request.body : undefined;
  if (!(bytes instanceof Uint8Array)) throw new TypeError('the reader of bodies gave no bytes');
  return bytes;
}

function readingError(error: Error, { limit, exchange }: { limit: number; exchange: Exchange }): AppError {
  const type = 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return tooLarge(limit);
    case 'request.aborted':
    case 'request.size.invalid':
      exchange.closing = true;
      return endedEarly(error);
    default:
      return new AppError('internal_error', { cause: error });
  }
}

function endedEarly(cause: unknown): AppError {
  return new AppError('bad_request', { message: 'The body ended too early', cause });
}

function tooLarge(limit: number): AppError {
  return new AppError('payload_too_large', { message: `The body is larger than ${limit} bytes` });
}

/** Throws unsupported_media_type, also for compression, where the size would not follow from the bytes. */
function bodyType(
  headers: { readonly type: string | undefined; readonly encoding: string | undefined },
  accepted: readonly string[],
): string {
  const coding = headers.encoding?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity') throw unsupported('Send the body without Content-Encoding');
  const [type = '', ...parameters] = typeOf(headers.type, accepted)
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (!accepted.includes(type)) throw unsupported(`Send the body as ${accepted.join(' or ')}`);
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) throw unsupported('Send the body as UTF-8');
  return type;
}

function typeOf(sent: string | undefined, accepted: readonly string[]): string {
  if (sent !== undefined && sent.trim() !== '') return sent;
  return accepted.includes(jsonType) ? jsonType : '';
}

interface BodyForm {
  readonly type: string;
  readonly json: JsonLimits;
}

/** Throws validation_failed. JSON of no bytes is an empty object. */
function parseBody(bytes: Uint8Array, { type, json }: BodyForm): RequestBody {
  const text = decode(bytes);
  if (type === formType) return { kind: 'form', pairs: parseForm(text), bytes };
  // A byte order mark is not JSON, and strict parsers differ in whether they skip it.
  const read = readStrictJson(text === '' ? '{}' : text, json);
  if (!read.ok) throw malformedBody(read.problem);
  return { kind: 'json', value: read.value, bytes };
}

function malformedBody(problem: string): AppError {
  return new AppError('validation_failed', {
    message: problem,
    details: { fields: { body: [problem] }, isBodyMalformed: true },
  });
}

function parseForm(text: string): readonly QueryPair[] {
  // Line breaks and other controls are percent-encoded in a form.
  if (/[^\x21-\x7e]/.test(text) || !isReadable(text)) throw malformedBody('The form is not percent-encoded UTF-8');
  const pairs = parseQuery(text);
  if (pairs.length > mostPairs) throw malformedBody(`The form has more than ${mostPairs} fields`);
  return pairs;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    // A fatal decoder has no other failure.
    throw malformedBody('The body is not valid UTF-8');
  }
}

function unsupported(message: string): AppError {
  return new AppError('unsupported_media_type', { message });
}
