/** GET /health: that the service answers, its version and its time. */

import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { envelopeSchema, success } from '../http/envelope.js';

export interface HealthDeps {
  readonly version: string;
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  /** Whether pages can be read without a token at this moment. */
  readonly isPublicApiEnabled: () => boolean;
}

/** The row. Its token was looked up in the database, so an answer says that the database answers too. */
export function healthEndpoint({ version, now, isPublicApiEnabled }: HealthDeps): Endpoint {
  return {
    name: 'health',
    method: 'GET',
    path: '/health',
    access: { kind: 'scope', scope: 'catalog.read' },
    object: null,
    summary: 'State of the service',
    tags: ['Catalog'],
    parameters: [],
    response: { status: 200, description: 'Version and time of the service.', schema: envelopeSchema(health) },
    handler: async (): Promise<Reply> =>
      success({ ok: true, version, publicApiEnabled: isPublicApiEnabled(), time: isoTimeOfMs(now()) }),
  };
}

const health = {
  type: 'object',
  required: ['ok', 'version', 'publicApiEnabled', 'time'],
  properties: {
    ok: { const: true },
    version: { type: 'string' },
    publicApiEnabled: { type: 'boolean', description: 'Whether pages can be read without a token too.' },
    time: { type: 'string', format: 'date-time' },
  },
} as const;
