/** The body of a write to the banner API as an object of members. */

import { AppError } from '../../errors/app-error.js';
import type { Call } from '../../http/interface/endpoint.js';
import { plainObject } from '../rules/field-types.js';

/** Throws bad_request `invalid json`: JSON that is no object says as little as text that is no JSON. */
export function bodyMembers({ body }: Call): Readonly<Record<string, unknown>> {
  const found = body?.kind === 'json' ? plainObject(body.value) : null;
  if (found === null) throw new AppError('bad_request', { message: 'invalid json' });
  return found;
}
