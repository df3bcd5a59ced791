/**
 * Webhooks: subscriptions, the outbox of their deliveries and one row per failed attempt. Secrets are encrypted; a delivery
 * has copies of the address, the secret and the exact body, taken when it was queued, and the attempt that succeeded.
 */
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
      // From here to `took_ms` every delivery is changed twice: columns of fixed lengths without NULL, which MariaDB
      // changes in their place. Empty text and 0 say that there is nothing.
      column('status', state, 'pending'),
      // When it is due, or its lease ends; of a finished one, when it was finished.
      required('visible_at', time),
      column('attempts', count, 0),
      column('claim', 'char(32)', ''),
      column('claimed_by', 'char(100)', ''),
      column('last_status', 'smallint(5) unsigned', 0),
      // The milliseconds and the answer of the attempt that succeeded, which has no row of its own.
      column('took_ms', count, 0),
      nullable('answer', 'varchar(1000)'),
      nullable('last_error', 'varchar(300)'),
      required('created_on', time),
    ],
    indexes: [
      // The event first: its deliveries lie side by side, so that queueing them touches one page.
      { name: 'once', columns: ['event_id', 'subscription_id'], unique: true },
      // Serves every query: what is due for one receiver in the order of its turn, what is in one state, what was
      // finished long ago. One index, because each delivery moves twice in it. The state first: what waits lies close
      // together, apart from the finished ones, so that an event for many receivers touches few pages.
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
