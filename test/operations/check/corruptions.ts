/** Ways to damage a store, each with what the check says about it. */
import { webhookSealer } from '../../../src/webhooks/administration/secrets.js';

export interface Corruption {
  readonly name: string;
  readonly damage: readonly string[];
  /** Check, table and key of what is found; the key is left out where the sample decides it. */
  readonly found: readonly (readonly [check: string, table: string, key?: string | number | null])[];
  /** Undoes the damage, where a repair may not. */
  readonly undo?: readonly string[];
}

export const rootSecret = 'a root secret for tests, long enough';
const sealed = webhookSealer(rootSecret).seal('a secret of a receiver');
const foreign = webhookSealer('another root secret, long enough').seal('a secret');

/** The id of no row. */
const nowhere = 900_000;
const first = (table: string): string => `(SELECT MIN(id) FROM ${table})`;
const [variable, anyResource] = [first('modx_site_tmplvars'), first('modx_site_content')];

const resource = (id: number, columns: Readonly<Record<string, string | number>>): string => {
  const row = { id, pagetitle: `p${id}`, description: '', alias: `p${id}`, uri: `p${id}.html`, ...columns };
  const values = Object.values(row).map((value) => (typeof value === 'number' ? value : `'${value}'`));
  return `INSERT INTO modx_site_content (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`;
};

const without = (table: string, ...ids: readonly number[]): string =>
  `DELETE FROM ${table} WHERE id IN (${ids.join(', ')})`;

const orphan = (name: string, table: string, columns: string, values: string, key?: string): Corruption => ({
  name: `a row of ${name}`,
  damage: [`INSERT INTO ${table} (${columns}) VALUES (${values})`],
  found: [key === undefined ? ['orphans', table] : ['orphans', table, key]],
});

/** A subscription whose secret opens. */
const receiver = 800_000;
export const makeReceiver = `INSERT INTO hcd_webhook_subscriptions (id, url, events, secret, active, created_on, updated_on, created_by)
  VALUES (${receiver}, 'https://x.example/', '["*"]', '${sealed}', 0, 1, 1, 'test')`;

const delivery = (id: number, columns: Readonly<Record<string, string | number>>): string => {
  const row = {
    ...{ id, subscription_id: receiver, event_id: `event ${id}`, event: 'resources.updated', revision: 0, body: '{}' },
    ...{ url: 'https://x.example/', secrets: sealed, visible_at: 1, created_on: 1, ...columns },
  };
  const values = Object.values(row).map((value) => (typeof value === 'number' ? value : `'${value}'`));
  return `INSERT INTO hcd_webhook_deliveries (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`;
};

const state = (name: string, id: number, columns: Readonly<Record<string, string | number>>): Corruption => ({
  name,
  damage: [delivery(id, columns)],
  found: [['deliveries', 'hcd_webhook_deliveries', id]],
  undo: [without('hcd_webhook_deliveries', id)],
});

const page = (id: number, columns: string, values: string): string =>
  `INSERT INTO hcd_pages (resource_id, created_on, edited_on, edited_by, ${columns}) VALUES (${id}, 1, 1, 'test', ${values})`;

/** What can happen to a store in the database. */
export function corruptions(dialect: 'sqlite' | 'mariadb'): readonly Corruption[] {
  // MariaDB raises a sequence by itself.
  const lateSequence: Corruption = {
    name: 'a sequence that is behind',
    damage: [
      "INSERT INTO hcd_ad_presets (name, defaults_data, created_on) VALUES ('last', '{}', 1)",
      "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'hcd_ad_presets'",
    ],
    found: [['sequences', 'hcd_ad_presets', null]],
  };
  const lastDay = (table: string) => `(SELECT day FROM (SELECT MAX(day) AS day FROM ${table}) AS d)`;
  return [
    orphan(
      'a value of a removed resource',
      'modx_site_tmplvar_contentvalues',
      'tmplvarid, contentid, value',
      `${variable}, ${nowhere}, ''`,
    ),
    orphan(
      'a value of a removed variable',
      'modx_site_tmplvar_contentvalues',
      'tmplvarid, contentid, value',
      `${nowhere}, ${anyResource}, ''`,
    ),
    orphan('the access to a removed variable', 'modx_site_tmplvar_access', 'tmplvarid, documentgroup', `${nowhere}, 1`),
    orphan('the group of a removed resource', 'modx_document_groups', 'document_group, document', `1, ${nowhere}`),
    orphan(
      'a removed resource in a context',
      'modx_context_resource',
      'context_key, resource',
      `'web', ${nowhere}`,
      `web/${nowhere}`,
    ),
    orphan(
      'a resource in a removed context',
      'modx_context_resource',
      'context_key, resource',
      `'gone', ${anyResource}`,
    ),
    orphan(
      'a setting of a removed context',
      'modx_context_setting',
      '`context_key`, `key`, `value`',
      "'gone', 'k', 'v'",
      'gone/k',
    ),
    orphan('the group of a removed user', 'modx_member_groups', 'user_group, member', `1, ${nowhere}`),
    orphan(
      'the profile of a removed user',
      'modx_user_attributes',
      'internalKey, address, comment',
      `${nowhere}, '', ''`,
    ),
    orphan('a setting of a removed user', 'modx_user_settings', '`user`, `key`', `${nowhere}, 'k'`, `${nowhere}/k`),
    orphan('the link of a removed banner', 'hcd_ad_links', 'ad, position', `${nowhere}, ${first('hcd_ad_positions')}`),
    orphan('the link of a removed position', 'hcd_ad_links', 'ad, position', `${first('hcd_ads')}, ${nowhere}`),
    orphan(
      'the attempt of a removed delivery',
      'hcd_webhook_attempts',
      'delivery_id, number, outcome, started_on, ended_on, claim',
      `${nowhere}, 1, 'timeout', 1, 2, ''`,
    ),
    orphan(
      'the publication of a removed page',
      'hcd_page_revisions',
      'resource_id, revision, document, published_on, published_by',
      `${nowhere}, 3, '{}', 1, 'test'`,
      `${nowhere}/3`,
    ),
    {
      name: 'a delivery of a removed subscription that waits',
      damage: [delivery(900_100, { subscription_id: nowhere })],
      found: [['orphans', 'hcd_webhook_deliveries', 900_100]],
    },
    {
      name: 'the draft of a removed resource',
      damage: [page(900_110, 'draft', "'{}'")],
      found: [['orphans', 'hcd_pages', 900_110]],
    },
    {
      name: 'the documents of a removed resource that was delivered',
      damage: [
        page(900_111, 'draft, is_published, last_published, site_revision, is_delivered', "'{}', 1, 1, 1, 1"),
        "INSERT INTO hcd_page_revisions (resource_id, revision, document, published_on, published_by) VALUES (900111, 1, '{}', 1, 'test')",
      ],
      found: [['orphans', 'hcd_pages', 900_111]],
    },
    {
      name: 'a resource below a removed one',
      damage: [resource(900_120, { parent: nowhere })],
      found: [['parents', 'modx_site_content', 900_120]],
      undo: [without('modx_site_content', 900_120)],
    },
    {
      name: 'two resources below each other',
      damage: [
        resource(900_130, { parent: 900_131, uri: 'p900131/p900130.html' }),
        resource(900_131, { parent: 900_130, uri: 'p900130/p900131.html' }),
      ],
      found: [['tree', 'modx_site_content', 900_130]],
      undo: [without('modx_site_content', 900_130, 900_131)],
    },
    {
      name: 'two categories below each other',
      damage: [
        "INSERT INTO modx_categories (id, parent, category) VALUES (900140, 900141, 'a'), (900141, 900140, 'b')",
        `INSERT INTO modx_categories_closure (ancestor, descendant, depth) VALUES (900140, 900140, 0), (900141, 900140, 1),
          (0, 900140, 2), (900141, 900141, 0), (900140, 900141, 1), (0, 900141, 2)`,
      ],
      found: [['tree', 'modx_categories', 900_140]],
      undo: [
        without('modx_categories', 900_140, 900_141),
        'DELETE FROM modx_categories_closure WHERE descendant > 900139',
      ],
    },
    {
      name: 'a category that the table of ancestors lacks',
      damage: ["INSERT INTO modx_categories (id, parent, category) VALUES (700000, 0, 'new')"],
      found: [
        ['closure', 'modx_categories_closure', '700000/700000'],
        ['closure', 'modx_categories_closure', '0/700000'],
      ],
    },
    {
      name: 'an ancestor of nothing',
      damage: ['INSERT INTO modx_categories_closure (ancestor, descendant, depth) VALUES (700010, 700011, 1)'],
      found: [['closure', 'modx_categories_closure', '700010/700011']],
    },
    {
      name: 'two resources with one URI',
      damage: [
        resource(900_150, { alias: 'same', uri: 'same.html' }),
        resource(900_151, { alias: 'same', uri: 'same.html' }),
      ],
      found: [['duplicate-uris', 'modx_site_content', 900_150]],
      undo: [without('modx_site_content', 900_150, 900_151)],
    },
    {
      name: 'a URI that does not follow from the alias',
      damage: [resource(900_160, { alias: 'right', uri: 'wrong.html' })],
      found: [['uris', 'modx_site_content', 900_160]],
      undo: [without('modx_site_content', 900_160)],
    },
    ...(dialect === 'sqlite' ? [lateSequence] : []),
    {
      name: 'a generation of the content that is behind',
      damage: [`INSERT INTO hcd_changes (generation, created_on) VALUES (${nowhere}, 1)`],
      found: [['generations', 'hcd_state', 'content_generation']],
    },
    {
      name: 'a number of the pages that is behind',
      damage: [
        `UPDATE hcd_pages SET site_revision = ${nowhere} WHERE resource_id = (SELECT id FROM (SELECT MIN(resource_id) AS id FROM hcd_pages) AS p)`,
      ],
      found: [['generations', 'hcd_state', 'pages_revision']],
    },
    {
      name: 'a sum of clicks that is too low',
      damage: [
        `INSERT INTO hcd_ad_clicks (ad, position, clicked_on, day, visitor, referrer) SELECT 1, 700020, MAX(clicked_on), MAX(day), 'v', 'r.example' FROM hcd_ad_clicks`,
      ],
      // By banner, by referrer at the position, and by referrer at all positions.
      found: [
        ['banner-sums', 'hcd_ad_days'],
        ['banner-sums', 'hcd_ad_referrer_days'],
        ['banner-sums', 'hcd_ad_referrer_days'],
      ],
    },
    {
      name: 'a sum of impressions that is too high',
      damage: [
        `INSERT INTO hcd_ad_days (day, ad, position, impressions) SELECT MAX(day), 1, 700030, 3 FROM hcd_ad_impressions WHERE day = ${lastDay('hcd_ad_impressions')}`,
      ],
      found: [['banner-sums', 'hcd_ad_days']],
    },
    state('a delivery without the worker that delivers it', 900_170, { status: 'delivering' }),
    state('a delivery that waits and is claimed', 900_171, { status: 'pending', claim: 'c' }),
    state('a finished delivery that is claimed', 900_172, { status: 'failed', claimed_by: 'w' }),
    state('a delivery that arrived without an answer', 900_173, { status: 'delivered', attempts: 1 }),
    {
      name: 'a secret under another root secret',
      damage: [makeReceiver.replace(String(receiver), '900180').replace(sealed, foreign)],
      found: [['secrets', 'hcd_webhook_subscriptions', 900_180]],
      undo: [without('hcd_webhook_subscriptions', 900_180)],
    },
    {
      name: 'a delivery whose secret is damaged',
      damage: [delivery(900_181, { secrets: `${sealed.slice(0, -4)}AAAA` })],
      found: [['secrets', 'hcd_webhook_deliveries', 900_181]],
      undo: [without('hcd_webhook_deliveries', 900_181)],
    },
    {
      name: 'the secret of the receiver of banners under another root secret',
      damage: [
        "DELETE FROM modx_system_settings WHERE `key` = 'banners_webhook_secret'",
        `INSERT INTO modx_system_settings (\`key\`, \`value\`) VALUES ('banners_webhook_secret', '${foreign}')`,
      ],
      found: [['secrets', 'modx_system_settings', 'banners_webhook_secret']],
      undo: ["DELETE FROM modx_system_settings WHERE `key` = 'banners_webhook_secret'"],
    },
    {
      name: 'a published page without its document',
      damage: [resource(900_190, {}), page(900_190, 'is_published, last_published', '1, 4')],
      found: [['publications', 'hcd_pages', 900_190]],
      undo: ['DELETE FROM hcd_pages WHERE resource_id = 900190', without('modx_site_content', 900_190)],
    },
  ];
}
