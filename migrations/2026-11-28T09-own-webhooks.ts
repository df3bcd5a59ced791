/** Subscriptions, the outbox of deliveries with copies of address, secret and body, and a row per failed attempt. */
import { column, count, id, nullable, required, stepOf, time } from './table.js';

const address = 'varchar(2048)';
/** 32 hexadecimal digits. */
const token = 'varchar(32)';
const state = "enum('pending', 'delivering', 'delivered', 'failed', 'cancelled')";

export const { up, down } = stepOf([
  {
    name: 'webhook_subscriptions',
    columns: [
      id(),
      nullable('name', 'varchar(100)'),
      required('url', address),
      required('events', 'text'),
      required('secret', 'text'),
      nullable('previous_secret', 'text'),
      nullable('previous_ends_on', time),
      column('active', 'tinyint(1)', 1),
      nullable('disabled_reason', 'varchar(300)'),
      column('failures', count, 0),
      nullable('first_failure_on', time),
      column('warnings', count, 0),
      required('created_on', time),
      required('updated_on', time),
      required('created_by', 'varchar(190)'),
    ],
    indexes: [{ name: 'active', columns: ['active', 'id'] }],
  },
  {
    name: 'webhook_deliveries',
    columns: [
      id(),
      required('subscription_id', count),
      required('event_id', token),
      required('event', 'varchar(128)'),
      required('revision', 'bigint(20)'),
      required('body', 'longtext'),
      required('url', address),
      required('secrets', 'text'),
      // Until `took_ms` fixed lengths without NULL, which MariaDB changes in place; empty text and 0 = nothing.
      column('status', state, 'pending'),
      // When it is due, or its lease ends; of a finished one, when it was finished.
      required('visible_at', time),
      column('attempts', count, 0),
      column('claim', 'char(32)', ''),
      column('claimed_by', 'char(100)', ''),
      column('last_status', 'smallint(5) unsigned', 0),
      // Of the attempt that succeeded, which has no row of its own.
      column('took_ms', count, 0),
      nullable('answer', 'varchar(1000)'),
      nullable('last_error', 'varchar(300)'),
      required('created_on', time),
      // The header of the request that raised the event, where it was traced.
      nullable('traceparent', 'varchar(55)'),
    ],
    indexes: [
      // So that queueing an event touches one page.
      { name: 'once', columns: ['event_id', 'subscription_id'], unique: true },
      // One index for every query, since each delivery moves twice in it; the state first, to keep what waits together.
      { name: 'due', columns: ['status', 'subscription_id', 'visible_at', 'id'] },
    ],
  },
  {
    name: 'webhook_attempts',
    columns: [
      id(),
      required('delivery_id', count),
      required('number', count),
      required('outcome', 'varchar(20)'),
      nullable('status', 'smallint(5) unsigned'),
      nullable('error', 'varchar(300)'),
      nullable('answer', 'varchar(1000)'),
      required('started_on', time),
      required('ended_on', time),
      required('claim', token),
    ],
    indexes: [{ name: 'of_delivery', columns: ['delivery_id', 'id'] }],
  },
]);
