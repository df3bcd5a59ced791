/** Records of banners, positions, their links, and presets. */
import { linksOf } from '../../banners/management/position-links.js';
import { checkPosition } from '../../banners/management/positions.js';
import { checkPreset } from '../../banners/management/presets.js';
import { ads } from '../../banners/models/ads.js';
import { links, placeLinks } from '../../banners/models/links.js';
import { positions } from '../../banners/models/positions.js';
import { largestWeight } from '../../banners/rules/banner.js';
import { bannerFields, bannerValueNames } from '../../banners/rules/banner-fields.js';
import { completeBanner, readBannerBody } from '../../banners/rules/read-banner-body.js';
import { hourBits } from '../../banners/rules/targeting.js';
import type { JsonValue } from '../../content/objects/values.js';
import { AppError } from '../../errors/app-error.js';
import type { RawValue, Tx } from '../../store/base/database.js';
import type { Column } from '../../store/models/columns.js';
import type { Checked } from '../../values/checked.js';
import { isoTimeOfSeconds } from '../../values/dates.js';
import { isJsonObject, type JsonObject, parseJson } from '../../values/json.js';
import { namedRecords, type RecordKind, type RowKey } from './kind.js';
import { linkTexts, nameTexts } from './links.js';
import { integer, link, type Member, type Members, requiredText, text } from './members.js';
import { WrongValue } from './transfer-record.js';

const columns: Readonly<Record<string, Column>> = ads.columns;

/** Fields with ids are written as names; times and links have forms of their own. */
const references: Members = {
  source: link('media_sources', 'source', 0),
  target_resource: link('resources', 'target_resource_id', 0),
  target_parent: link('resources', 'target_parent_id', 0),
};
const bannerMembers: Members = {
  ...Object.fromEntries(
    bannerValueNames
      .filter((name) => name !== 'source' && !name.startsWith('target_'))
      .map((name) => [name, field(name)]),
  ),
  ...references,
};

function field(name: (typeof bannerValueNames)[number]): Member {
  const { type, default: byDefault }: { type: { parse(value: unknown): Checked<unknown> }; default: unknown } =
    bannerFields[name];
  const column = columns[name];
  if (column === undefined) throw new RangeError(`banners have no column ${name}`);
  const encode = (value: unknown): RawValue => (value === null ? null : column.encode(value));
  return {
    column: ads.columnOf(name),
    default: byDefault === undefined ? undefined : encode(byDefault),
    async read(value, names) {
      const parsed = type.parse(typeof value === 'string' ? await linkTexts(value, names) : value);
      if (!parsed.ok) throw new WrongValue(parsed.problem);
      return encode(parsed.value);
    },
    async show(raw, names) {
      const value = column.decode(raw);
      if (name === 'start' || name === 'end') return typeof value === 'number' ? isoTimeOfSeconds(value) : null;
      return nameTexts(value, names);
    },
  };
}

const defaults: Member = {
  column: 'defaults_data',
  default: '{}',
  async read(value, names) {
    if (!isJsonObject(value)) throw new WrongValue('must be an object');
    const body: Record<string, unknown> = { ...Object(await linkTexts(value, names)) };
    for (const [name, { column, read }] of Object.entries(references)) {
      const { [name]: given } = body;
      if (given === undefined) continue;
      delete body[name];
      // Files of earlier versions have 0 for no media source.
      body[column] = given === 0 ? 0 : await read(given, names);
    }
    const problems = refusalsOf(() => checkPreset({ name: 'x', type: 'image', tpl: '', defaults: body }));
    if (problems.length > 0) throw new WrongValue(problems.map((one) => one.join(' ')).join('; '));
    return JSON.stringify(body);
  },
  async show(raw, names) {
    const stored = parseJson(String(raw));
    const shown: Record<string, JsonValue> = { ...Object(await nameTexts(isJsonObject(stored) ? stored : {}, names)) };
    for (const [name, { column, show }] of Object.entries(references)) {
      const { [column]: id } = shown;
      if (id === undefined) continue;
      delete shown[column];
      shown[name] = (await show(Number(id), names, {})) ?? null;
    }
    return shown;
  },
};

const contextOrAll: Member = {
  column: 'context_key',
  default: '',
  read: (value, names) => (value === '' ? '' : names.idOf('contexts', value)),
  show: (raw, names) => (raw === '' || raw === null ? '' : names.nameOrLose('contexts', raw)),
};
const lastPlace = 2_147_483_647;

export const bannerKinds = {
  positions: namedRecords('positions', {
    members: { name: requiredText('name'), context_key: contextOrAll },
    context: 'context_key',
    completed: written,
    changed: { columns: ['edited_on'], unit: 'milliseconds' },
    check: ({ name, context_key }) =>
      refusalsOf(() => checkPosition({ name: String(name), context_key: String(context_key ?? '') })),
  }),
  banners: namedRecords('banners', {
    members: bannerMembers,
    changed: { columns: ['edited_on'], unit: 'milliseconds' },
    completed(values, how) {
      const hours = columns['show_hours']?.decode(values['show_hours'] ?? null);
      const bits = hourBits((hours ?? null) as Parameters<typeof hourBits>[0]);
      return { show_days_bits: bits.days, show_hours_bits: bits.hours, ...written(values, how) };
    },
    check: checkBanner,
  }),
  banner_links: {
    table: 'hcd_ad_links',
    members: {
      banner: link('banners', 'ad'),
      position: link('positions', 'position'),
      idx: { ...integer('idx', lastPlace), read: countFrom(0, lastPlace) },
      weight: { ...integer('weight', 1), read: countFrom(1, largestWeight) },
    },
    key: ['banner', 'position'],
    order: ['position', 'idx', 'banner'],
    finish: placeWritten,
  },
  banner_presets: namedRecords('banner_presets', {
    members: { name: requiredText('name'), type: text('type', 'image'), tpl: text('tpl'), defaults },
    changed: { columns: ['created_on'], unit: 'milliseconds' },
    completed: (_values, { now, isNew }) => (isNew ? { created_on: now } : {}),
    check: ({ name, type, tpl }) =>
      refusalsOf(() => checkPreset({ name: String(name), type: String(type), tpl: String(tpl ?? ''), defaults: {} })),
  }),
} satisfies Readonly<Record<string, RecordKind>>;

/** Places each written link among the others of its position, and numbers all places from 0. */
async function placeWritten(tx: Tx, keys: readonly RowKey[]): Promise<void> {
  const ids = new Set(keys.map(Number));
  const found = await links.on(tx).lookUpAll({ id: [...ids] });
  const touched = [...new Set(found.map((link) => link.position))].sort((one, other) => one - other);
  await positions.on(tx).lookUpAll({ id: touched }, { attributes: ['id'], order: ['id'], lock: true });
  for (const at of touched) {
    const all = await linksOf(tx, at);
    const ordered = all.filter(({ id }) => !ids.has(id));
    for (const link of all) if (ids.has(link.id)) ordered.splice(Math.min(link.idx, ordered.length), 0, link);
    await placeLinks(tx, ordered);
  }
}

function written(_values: unknown, { now, isNew }: { readonly now: number; readonly isNew: boolean }) {
  return { edited_on: now, ...(isNew ? { created_on: now } : {}) };
}

function countFrom(least: number, most: number) {
  return (value: unknown): number => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new WrongValue(`must be a whole number from ${least} to ${most}`);
  };
}

function checkBanner(record: JsonObject): readonly (readonly [string, string])[] {
  const { target_resource, target_parent } = record;
  const targets = { target_resource_id: target_resource ? 1 : 0, target_parent_id: target_parent ? 1 : 0 };
  const together = ['name', 'product_id', 'category_id', 'start', 'end'].filter((name) => record[name] !== undefined);
  const request = readBannerBody({ ...Object.fromEntries(together.map((name) => [name, record[name]])), ...targets });
  completeBanner(request);
  return listOf(request.problems.fields).map(([name, problem]) => [name.replace(/^(target_\w+)_id$/, '$1'), problem]);
}

function refusalsOf(check: () => unknown): readonly (readonly [string, string])[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    return listOf(error.details.fields ?? {});
  }
}

function listOf(fields: Readonly<Record<string, readonly string[]>>): [string, string][] {
  return Object.entries(fields).flatMap(([name, texts]) => texts.map((one): [string, string] => [name, one]));
}
