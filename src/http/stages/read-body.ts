/** Reads the body after the checks, so that a caller without rights cannot make the server read. */
import { finished } from 'node:stream/promises';
import type { Middleware } from 'koa';
import { WaitingLine } from '../../clock/waiting-line.js';
import { AppError } from '../../errors/app-error.js';
import { defaultJsonLimits, type JsonLimits, readStrictJson } from '../../values/json-reader.js';
import { utf8 } from '../../values/text.js';
import { formType, jsonType, mergePatchType, type RequestBody, type RequestDoc } from '../interface/endpoint.js';
import { isReadable, parseQuery, type QueryPair } from '../interface/query-pairs.js';
import type { RequestState, Stage } from '../interface/request-state.js';
import { discardBody, hasBody } from './checks.js';
import { dropUpload, fileTooLarge, formBytes, readUpload } from './read-upload.js';

type Context = Parameters<Stage>[0];

const mostPairs = 200;
const defaultMaxBytes = 1_048_576;
/** Long bodies of one caller that are read at a time, so that neither the memory nor the event loop is full of them. */
const mostOfCaller = 8;
const noLimit = Number.POSITIVE_INFINITY;
const longBodyBytes = 16 * 1024;

const message = 'More requests arrive than can be answered; send this one again after the seconds in Retry-After';
/** One for all of them: making an error takes longer than the rest. */
export const loadRefusal = new AppError('unavailable', { message, details: { retryAfter: 1, isLoad: true } });

/** Of a change, or a read with a body. Throws unsupported_media_type, payload_too_large, and validation_failed. */
export function readBody(): Stage {
  // A reader is made for one limit, and limits are live settings.
  const readers = new Map<number, Middleware>();
  const longBodies = new WaitingLine({ places: noLimit, perCaller: mostOfCaller, refusal: () => loadRefusal });
  const holding = <T>(caller: string, length: number, work: () => Promise<T>): Promise<T> =>
    length < longBodyBytes ? work() : longBodies.run(work, { asker: { group: '', caller } });
  return function readBody(ctx, next) {
    const { state } = ctx;
    const request = state.match?.route.endpoint.request;
    state.check = 'body';
    // A request that timed out has been answered: it must have no effect when the rest of its body arrives.
    const done = received(ctx, request).then(() => (state.answered ? undefined : next()));
    return request?.upload === undefined ? done : done.finally(() => dropUpload(state.body));
  };

  async function received(ctx: Context, request: RequestDoc | undefined): Promise<void> {
    const { req, state } = ctx;
    if (request === undefined) {
      if (hasBody(req)) await skip(ctx);
      return takeTurn(ctx, 0);
    }
    const { upload } = request;
    try {
      await (upload === undefined ? read(ctx, request) : readForm(ctx, request, upload));
    } catch (error) {
      if (error === loadRefusal) state.check = 'load';
      // A client that is still sending may miss the answer: what arrives of a refused body is taken off the wire.
      const most = upload === undefined ? undefined : 2 * (upload.maxBytes() + formBytes);
      if (hasBody(req) && !req.readableEnded) discardBody(req, most);
      throw error;
    }
  }

  /** Only the end of the body shows that a request is valid HTTP. An invalid one has no effect. */
  async function skip({ req, state }: Context): Promise<void> {
    // For GET and HEAD the edge has already started.
    if (!state.isRead) discardBody(req);
    try {
      await finished(req, { writable: false });
    } catch (error) {
      state.closing = true;
      throw endedEarly(error);
    }
  }

  async function readForm(ctx: Context, request: RequestDoc, upload: NonNullable<RequestDoc['upload']>): Promise<void> {
    const { state } = ctx;
    const limit = upload.maxBytes() + formBytes;
    bodyType({ type: state.header('content-type'), encoding: state.header('content-encoding') }, request.types);
    const length = Number(state.header('content-length') ?? limit);
    if (length > limit) throw fileTooLarge(upload.maxBytes());
    await holding(state.asker.caller, length, async () => {
      state.body = await readUpload(ctx, upload);
    });
    await takeTurn(ctx, 0);
  }

  async function read(ctx: Context, request: RequestDoc): Promise<void> {
    const { state } = ctx;
    const allowed = state.located?.mounted?.policy.maxBodyBytes ?? defaultMaxBytes;
    const limit = Math.min(allowed, request.maxBytes ?? allowed);
    const isEmpty = !hasBody(ctx.req);
    const encoding = isEmpty ? undefined : state.header('content-encoding');
    const type = bodyType({ type: state.header('content-type'), encoding }, typesOf(state, request));
    const length = isEmpty ? 0 : Number(state.header('content-length') ?? limit);
    if (length > limit) throw tooLarge(limit);
    const bytes = await holding(state.asker.caller, length, async () => {
      const found = isEmpty ? new Uint8Array() : await readBytes(ctx, { limit, type });
      await takeTurn(ctx, found.length);
      return found;
    });
    if (!state.answered) state.body = parseBody(bytes, { type, json: jsonLimits(state) });
  }

  async function readBytes(
    ctx: Context,
    { limit, type }: { readonly limit: number; readonly type: string },
  ): Promise<Uint8Array> {
    const reader = readers.get(limit) ?? (await makeReader(limit));
    readers.set(limit, reader);
    // The reader takes no body without a type.
    ctx.req.headers['content-type'] = type;
    await reader(ctx, async () => undefined);
    return bytesOf(ctx);
  }
}

/** Changes wait for their turns when their bodies have arrived, which takes the time of their clients. */
async function takeTurn({ req, state }: Context, bytes: number): Promise<void> {
  if (state.isRead || !(await state.isTurnRefused(bytes))) return;
  if (req.socket.destroyed) throw endedEarly(undefined);
  throw loadRefusal;
}

function typesOf({ method }: RequestState, { types }: RequestDoc): readonly string[] {
  return method === 'PATCH' && types.includes(jsonType) ? [...types, mergePatchType] : types;
}

function jsonLimits({ located }: RequestState): JsonLimits {
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
    onError(error, ctx: { readonly state: RequestState }) {
      throw readingError(error, { limit, state: ctx.state });
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

function readingError(error: Error, { limit, state }: { limit: number; state: RequestState }): AppError {
  const type = 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return tooLarge(limit);
    case 'request.aborted':
    // The client went away while the body waited to be read.
    case 'stream.not.readable':
    case 'request.size.invalid':
      state.closing = true;
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

/** Throws validation_failed. JSON of no bytes is an empty object. */
function parseBody(
  bytes: Uint8Array,
  { type, json }: { readonly type: string; readonly json: JsonLimits },
): RequestBody {
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
