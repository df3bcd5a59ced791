/** Settings of the gateway for webhooks and their outbox. */
import { rowsOf } from './setting-row.js';
import { addressBlockValue, listValue } from './value-type.js';

const { integer, off, row } = rowsOf('gateway');

export const webhookSettings = Object.freeze({
  gateway_webhook_max_attempts: integer(
    { min: 1, max: 100, default: 12, unit: 'attempts' },
    'Attempts after which a delivery fails.',
  ),
  gateway_webhook_worker_limit: integer(
    { min: 1, max: 100_000, default: 1000, unit: 'deliveries' },
    'Deliveries of one pass of the worker, unless --limit is given.',
  ),
  gateway_webhook_concurrency: integer(
    { min: 1, max: 256, default: 16, unit: 'deliveries' },
    'Deliveries that one worker sends at the same time.',
  ),
  gateway_webhook_https_only: off('Refuses receivers whose address is not https.'),
  gateway_webhook_allow_private_urls: off(
    'Lets deliveries go to private and local addresses; for development. TLS certificates are still checked.',
  ),
  gateway_webhook_allowed_networks: row(
    { type: listValue(addressBlockValue), default: Object.freeze([]) },
    'Private addresses and CIDR blocks that deliveries may go to.',
  ),
  gateway_webhook_denied_networks: row(
    { type: listValue(addressBlockValue), default: Object.freeze([]) },
    'Public addresses and CIDR blocks that deliveries may not go to.',
  ),
  gateway_webhook_nat64: off(
    'For IPv6-only networks: the IPv4 address inside a NAT64 address decides whether a receiver is allowed.',
  ),
  gateway_webhook_keep_answers: off(
    'Keeps the start of the answers of receivers with their attempts, for hcd delivery show.',
  ),
  gateway_webhook_disable_after_days: integer(
    { min: 0, max: 365, default: 5, unit: 'days' },
    'Days without a success after which a failing subscription is disabled; 0 = never.',
  ),
  gateway_webhook_retention_days: integer(
    { min: 1, max: 36_500, default: 30, unit: 'days' },
    'Age at which the worker and hcd delivery prune remove finished deliveries.',
  ),
});
