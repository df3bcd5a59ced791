/**
 * From the bytes of a request to a body that means one thing: strict UTF-8, strict JSON, strict form encoding. Refusals
 * are AppErrors; what they become on the wire is the API's business.
 */
import { AppError } from '../../errors/app-error.js';
import type { JsonLimits } from '../../values/json-reader.js';
import { readStrictJson } from '../../values/strict-json.js';
import type { RequestBody } from './endpoint.js';
import { isReadable, parseQuery, type QueryPair } from './query-pairs.js';

export const jsonType = 'application/json';
export const formType = 'application/x-www-form-urlencoded';

const mostPairs = 200;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The media type of a body, one of those that the route takes; JSON where the route takes JSON and no type was sent.
 * Throws unsupported_media_type for another one, for a charset other than UTF-8 and for a body that is compressed: its
 * size could not be told from its bytes.
 */
export function bodyType(
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

export interface BodyForm {
  readonly type: string;
  readonly json: JsonLimits;
}

/** Throws validation_failed for bytes that are not UTF-8 or not of the type. JSON of no bytes is an empty object. */
export function parseBody(bytes: Uint8Array, { type, json }: BodyForm): RequestBody {
  const text = decode(bytes);
  if (type === formType) return { kind: 'form', pairs: parseForm(text), bytes };
  // A byte order mark is no JSON; strict parsers differ in whether they pass over it.
  const read = readStrictJson(text === '' ? '{}' : text, json);
  if (!read.ok) throw malformedBody(read.problem);
  return { kind: 'json', value: read.value, bytes };
}

/** The refusal of a body that cannot be read: 422 on the gateway. */
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
