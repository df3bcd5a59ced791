/** Bodies of writes: the fields of a record as JSON. What they mean for the object is the services' business. */
import { type ChangesReading, readChanges, type WritePurpose } from '../../content/mutations/read-changes.js';
import type { ObjectDefinition } from '../../content/objects/definition.js';
import type { Caller } from '../../content/query/authorize.js';
import { AppError } from '../../errors/app-error.js';
import { allowsChange } from '../../http/answers/representation.js';
import type { Call, RequestDoc } from '../../http/interface/endpoint.js';
import { jsonType } from '../../http/interface/endpoint.js';

/** Largest body of a route that takes credentials: callers without any may send one. */
export const credentialBodyBytes = 16_384;

/** JSON only: a form-encoded body is 415. */
export const recordBody: RequestDoc = Object.freeze({ types: [jsonType], required: true });

/** The changes that the body of the call asks for, or what is wrong with them. */
export function parseBody(
  { body, method }: Pick<Call, 'body' | 'method'>,
  { definition, caller }: { readonly definition: ObjectDefinition; readonly caller: Caller },
): ChangesReading {
  return readChanges(body?.kind === 'json' ? body.value : undefined, {
    definition,
    caller,
    purpose: purposeOf(method),
  });
}

function purposeOf(method: Call['method']): WritePurpose {
  if (method === 'POST') return 'create';
  return method === 'PUT' ? 'replace' : 'update';
}

/** The check that If-Match asks for (docs/reference/gateway.md#entity-tags-of-writes); null without the header. */
export function parseIfMatch<T>(
  call: Pick<Call, 'header'>,
  tagOf: (current: T) => string | null,
): ((current: T) => void) | null {
  const header = call.header('if-match');
  if (header === undefined) return null;
  return (current) => {
    if (!allowsChange(header, tagOf(current))) throw new AppError('precondition_failed');
  };
}
