/** Banners, positions, links between the two, presets, events of visitors, their sums, and the audit log. */
import { column, count, id, nullable, required, stepOf, time } from './table.js';

/** Unix seconds. */
const moment = 'bigint(20)';
/** Digits of a local day such as 20261121, in the time zone of the banners. */
const day = 'int(10) unsigned';
/** Keyed digest of address and day, 16 hexadecimal digits. */
const visitor = 'varchar(16)';
const address = 'varchar(39)';

export const { up, down } = stepOf([
  {
    name: 'ads',
    columns: [
      id(),
      required('name', 'varchar(255)'),
      column('url', 'varchar(2048)', ''),
      column('image', 'varchar(255)', ''),
      column('source', count, 0),
      column('active', 'tinyint(1)', 1),
      nullable('description', 'text'),
      column('type', 'varchar(10)', 'image'),
      nullable('html', 'mediumtext'),
      nullable('start', moment),
      nullable('end', moment),
      column('product_id', count, 0),
      column('category_id', count, 0),
      column('max_clicks', count, 0),
      column('max_impressions', count, 0),
      // JSON: {"days": [1-7], "hours": [0-23]}; NULL = always.
      nullable('show_hours', 'text'),
      // The same as bits, for searching: bit 0 is Monday, bit 0 is hour 0; 0 = every day, every hour.
      column('show_days_bits', count, 0),
      column('show_hours_bits', count, 0),
      column('target_resource_id', count, 0),
      column('target_parent_id', count, 0),
      nullable('tags', 'text'),
      required('created_on', time),
      required('edited_on', time),
    ],
    indexes: [
      { name: 'name', columns: ['name'] },
      { name: 'active', columns: ['active', 'id'] },
    ],
  },
  {
    name: 'ad_positions',
    columns: [
      id(),
      required('name', 'varchar(255)'),
      column('context_key', 'varchar(100)', ''),
      required('created_on', time),
      required('edited_on', time),
    ],
    indexes: [{ name: 'name', columns: ['name'] }],
  },
  {
    name: 'ad_links',
    columns: [
      id(),
      required('ad', count),
      required('position', count),
      column('idx', count, 0),
      column('weight', count, 1),
    ],
    indexes: [
      { name: 'once', columns: ['ad', 'position'], unique: true },
      { name: 'of_position', columns: ['position', 'idx', 'id'] },
    ],
  },
  {
    name: 'ad_presets',
    columns: [
      id(),
      required('name', 'varchar(255)'),
      column('type', 'varchar(10)', 'image'),
      column('tpl', 'varchar(100)', ''),
      required('defaults_data', 'text'),
      required('created_on', time),
    ],
    indexes: [{ name: 'name', columns: ['name'], unique: true }],
  },
  {
    name: 'ad_clicks',
    columns: [
      id(),
      required('ad', count),
      required('position', count),
      required('clicked_on', time),
      required('day', day),
      required('visitor', visitor),
      column('referrer', 'varchar(255)', ''),
      column('ip', address, ''),
      nullable('order_id', 'varchar(64)'),
    ],
    indexes: [
      { name: 'once', columns: ['day', 'ad', 'position', 'visitor'], unique: true },
      { name: 'of_ad', columns: ['ad', 'clicked_on', 'id'] },
      { name: 'in_time', columns: ['clicked_on', 'id'] },
    ],
  },
  {
    name: 'ad_impressions',
    columns: [
      id(),
      required('ad', count),
      required('position', count),
      required('shown_on', time),
      required('day', day),
      required('visitor', visitor),
      column('ip', address, ''),
    ],
    indexes: [
      { name: 'once', columns: ['day', 'ad', 'position', 'visitor'], unique: true },
      { name: 'in_time', columns: ['shown_on', 'id'] },
    ],
  },
  {
    // Sums of the rows above, written in the same transaction; they outlive the rows.
    name: 'ad_days',
    columns: [
      required('day', day),
      required('ad', count),
      required('position', count),
      column('clicks', count, 0),
      column('impressions', count, 0),
      column('conversions', count, 0),
    ],
    primaryKey: ['day', 'ad', 'position'],
    indexes: [
      { name: 'of_ad', columns: ['ad', 'day'] },
      { name: 'of_position', columns: ['position', 'day'] },
    ],
  },
  {
    // Of each position, and under 0 of all, written like the sums above.
    name: 'ad_referrer_days',
    columns: [
      required('position', count),
      required('day', day),
      required('referrer', 'varchar(255)'),
      column('clicks', count, 0),
    ],
    primaryKey: ['position', 'day', 'referrer'],
  },
  {
    name: 'ad_audit',
    columns: [
      id(),
      required('entity', 'varchar(20)'),
      nullable('entity_id', count),
      required('label', 'varchar(255)'),
      required('action', 'varchar(40)'),
      required('created_on', time),
      required('username', 'varchar(190)'),
      // JSON: {"before": …, "after": …}.
      required('payload', 'mediumtext'),
      // Finds the write when the answer to its COMMIT was lost.
      nullable('write_id', 'varchar(32)'),
    ],
    indexes: [
      { name: 'write', columns: ['write_id'], unique: true },
      { name: 'entity', columns: ['entity', 'id'] },
      { name: 'record', columns: ['entity', 'entity_id', 'id'] },
      { name: 'action', columns: ['action', 'id'] },
      { name: 'in_time', columns: ['created_on'] },
    ],
  },
]);
