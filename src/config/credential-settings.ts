/** Settings of the gateway for OAuth, sessions and the requests that change something. */

import { rowsOf } from './setting-row.js';
import { mapped, textValue } from './value-type.js';

const { integer, off, on, row } = rowsOf('gateway');

/** RFC 8414 lets an issuer have a path; the metadata is at the root, so the issuer has no path here. */
const issuerValue = mapped(
  textValue({
    accepts: 'an origin such as https://example.com, or nothing',
    pattern: /^(?:https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?\/?)?$/,
  }),
  (origin) => origin.replace(/\/$/, ''),
);

export const credentialSettings = Object.freeze({
  gateway_oauth_enabled: off(
    'Lets OAuth clients get access tokens; when off, existing tokens still work until they expire.',
  ),
  gateway_oauth_token_ttl: integer(
    { min: 60, max: 31_536_000, default: 3600, unit: 'seconds' },
    'Lifetime of an access token.',
  ),
  gateway_oauth_issuer: row(
    { type: issuerValue, default: '' },
    'Issuer in OAuth metadata, such as https://example.com; empty = the public address of the gateway.',
  ),
  gateway_oauth_password_grant_enabled: off(
    'Lets OAuth clients with the grant password get tokens with the name and password of a user.',
  ),
  gateway_csrf_enabled: on('Requires X-CSRF-Token when a session changes something.'),
  gateway_idempotency_enabled: on(
    'Honours Idempotency-Key on POST: a repeated request gets the same answer and is done once.',
  ),
  gateway_idempotency_ttl: integer(
    { min: 60, max: 2_592_000, default: 86_400, unit: 'seconds' },
    'How long the answer to a request with an Idempotency-Key is kept.',
  ),
  gateway_audit_enabled: off('Writes an audit log entry for each request that may change something.'),
  gateway_audit_log_get: off('Writes audit log entries for reads too.'),
  gateway_audit_retention_days: integer(
    { min: 1, max: 36_500, default: 90, unit: 'days' },
    'Age at which the worker and hcd audit prune remove audit log entries.',
  ),
});
