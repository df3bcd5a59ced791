/** Settings of the gateway for OAuth, sessions and the requests that change something. */
import { mapped } from './mapped-value.js';
import { rowOf } from './setting-row.js';
import { booleanValue, integerValue, textValue } from './value-type.js';

const gateway = rowOf('gateway');

/** RFC 8414 lets an issuer have a path; the metadata stands at the root, so here it has none. */
const issuerValue = mapped(
  textValue({
    accepts: 'an origin such as https://example.com, or nothing',
    pattern: /^(?:https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?\/?)?$/,
  }),
  (origin) => origin.replace(/\/$/, ''),
);

export const credentialSettings = Object.freeze({
  gateway_oauth_enabled: gateway<boolean>({
    type: booleanValue,
    default: false,
    description: 'Lets OAuth clients get access tokens; tokens that are out work until they end either way.',
  }),
  gateway_oauth_token_ttl: gateway<number>({
    type: integerValue({ min: 60, max: 31_536_000 }),
    default: 3600,
    unit: 'seconds',
    description: 'Life of an access token, counted from its issue.',
  }),
  gateway_oauth_issuer: gateway<string>({
    type: issuerValue,
    default: '',
    description: 'Issuer in OAuth metadata, such as https://example.com; empty = the public address of the gateway.',
  }),
  gateway_oauth_password_grant_enabled: gateway<boolean>({
    type: booleanValue,
    default: false,
    description: 'Lets OAuth clients that have the grant get tokens with the name and password of a user.',
  }),
  gateway_csrf_enabled: gateway<boolean>({
    type: booleanValue,
    default: true,
    description: 'Asks for X-CSRF-Token when a session changes something.',
  }),
  gateway_idempotency_enabled: gateway<boolean>({
    type: booleanValue,
    default: true,
    description: 'Honours Idempotency-Key on POST: a request that comes again is answered again and done once.',
  }),
  gateway_idempotency_ttl: gateway<number>({
    type: integerValue({ min: 60, max: 2_592_000 }),
    default: 86_400,
    unit: 'seconds',
    description: 'How long the answer to a request with an Idempotency-Key is kept.',
  }),
  gateway_audit_enabled: gateway<boolean>({
    type: booleanValue,
    default: false,
    description: 'Writes a row of the audit log for each request that may change something.',
  }),
  gateway_audit_log_get: gateway<boolean>({
    type: booleanValue,
    default: false,
    description: 'Writes a row of the audit log for reads too.',
  }),
  gateway_audit_retention_days: gateway<number>({
    type: integerValue({ min: 1, max: 36_500 }),
    default: 90,
    unit: 'days',
    description: 'Age from which rows of the audit log are removed by the worker and by hcd audit prune.',
  }),
});
