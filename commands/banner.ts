/** The commands that show, switch and remove banners, and what the other ones for banners share. */
import { auditActions, auditEntities, listAudit } from '../src/banners/management/audit.js';
import { readImages } from '../src/banners/management/banner-images.js';
import { duplicateBanner } from '../src/banners/management/create-banner.js';
import { listBanners, readBanner } from '../src/banners/management/read-banners.js';
import { removeBanner, switchBanner } from '../src/banners/management/update-banner.js';
import { bannerTypes } from '../src/banners/rules/banner.js';
import { booleanValue, choiceValue, listValue, textValue } from '../src/config/value-type.js';
import type { Store } from '../src/store/open/open.js';
import { type DoneResult, defineSiteCommand, type JsonRecord, type JsonValue } from './command.js';
import { defaultRows, idValue, optional, required, rowParameters, toggle } from './parameters.js';

export const bannerParameter = required(idValue, {
  placeholder: 'ID',
  description: 'Id of the banner (see hcd banner list)',
});

/** A position by id or name, as the service finds it. */
export const positionValue = textValue({ accepts: 'the id or the name of a position' });

export const positionParameter = required(positionValue, {
  placeholder: 'POSITION',
  description: 'Id or name of the position (see hcd position list)',
});

/** Who changes banners, positions and presets here, as hcd banner audit shows it. */
export const username = 'cli';

/** Objects of the services are plain data all the way down. */
export function decodeJson(value: object): JsonRecord {
  return value as { readonly [name: string]: JsonValue };
}

/** What people want to see of a banner that they have just written; JSON has every field. */
export const shownFields = ['id', 'name', 'type', 'active', 'start', 'end', 'url', 'image', 'positions', 'tags'];

async function switchTo(
  id: number,
  { store, active }: { readonly store: Store; readonly active: boolean },
): Promise<DoneResult> {
  const { banner, wasSo } = await switchBanner(store, { id, active, username });
  const state = active ? 'on' : 'off';
  const message = wasSo
    ? `Banner ${id} "${banner.name}" is already ${state}; nothing to do.`
    : `Turned ${state} banner ${id} "${banner.name}".`;
  return { kind: 'done', message, data: decodeJson(banner) };
}

export const bannerList = defineSiteCommand({
  description:
    'Lists banners with their positions, dates and counters. The flags filter the list like the parameters of GET /ads; --query is matched literally. With --json each banner has all its fields.',
  options: {
    query: optional(textValue(), {
      placeholder: 'TEXT',
      description: 'Show only banners with this text in the name or description',
    }),
    active: optional(booleanValue, {
      placeholder: 'FLAG',
      description: 'Show only active (1) or inactive (0) banners',
    }),
    type: optional(choiceValue(bannerTypes), 'Show only banners of this type'),
    productId: optional(idValue, 'Show only banners of this product'),
    categoryId: optional(idValue, 'Show only banners of this category'),
    tag: optional(textValue(), 'Show only banners with this tag'),
    position: optional(
      listValue(idValue, { min: 1, accepts: 'a comma list of ids of positions' }),
      'Show only banners at one of these positions',
    ),
    mode: optional(
      choiceValue(['include', 'exclude']),
      'Whether --position includes or excludes banners (default: include)',
    ),
    onSchedule: toggle('Show only banners whose dates and hours match now, in the time zone of banners_timezone'),
    sort: optional(choiceValue(['id', 'name', 'active', 'start', 'end']), {
      placeholder: 'FIELD',
      description: 'Field to sort by (default: id)',
    }),
    desc: toggle('Sort in descending order'),
    ...rowParameters,
  },
  examples: {
    'banner list --on-schedule --active 1': 'Show the banners that can be shown now',
    'banner list --position 2 --sort end --json': 'List the banners of a position as JSON',
  },
  async run(options, deps) {
    const { limit = defaultRows, offset = 0, position, mode = 'include', sort = 'id' } = options;
    const { banners_timezone: zone } = await deps.settings();
    const { rows, total } = await listBanners(deps.store, {
      query: options.query ?? null,
      active: options.active ?? null,
      type: options.type ?? null,
      productId: options.productId ?? null,
      categoryId: options.categoryId ?? null,
      tag: options.tag ?? null,
      positions: position === undefined ? null : { mode, ids: position },
      onScheduleAt: options.onSchedule ? { ms: deps.clock.now(), zone } : null,
      ...{ sort, descending: options.desc, limit, offset },
      images: await readImages(deps.store, deps.env),
    });
    return {
      kind: 'list',
      columns: ['id', 'name', 'type', 'active', 'impressions', 'clicks', 'conversions', 'end', 'positions'],
      spare: ['type', 'conversions', 'positions', 'end'],
      marks: { active: { '0': 'past' } },
      rows: rows.map(decodeJson),
      total,
      offset,
      empty: 'No matching banners. Add one: hcd banner add --name NAME',
    };
  },
});

export const bannerShow = defineSiteCommand({
  description:
    'Shows all fields of a banner, its positions, its counters over all time and the URL of its image. Times are UTC; show_hours is in the time zone of banners_timezone.',
  arguments: { id: bannerParameter },
  examples: {
    'banner show 3': 'Show a banner',
    'banner show 3 --json': 'Show a banner as JSON',
  },
  async run({ id }, deps) {
    const images = await readImages(deps.store, deps.env);
    return { kind: 'record', record: decodeJson(await readBanner(deps.store, { id, images })) };
  },
});

export const bannerDuplicate = defineSiteCommand({
  description:
    'Creates a copy of a banner, with "(copy)" added to its name. The copy is linked to the same positions with the same weights, after their other banners. Counters start at zero.',
  arguments: { id: bannerParameter },
  options: { disabled: toggle('Create an inactive copy') },
  examples: {
    'banner duplicate 3 --disabled': 'Create an inactive copy to edit',
    'banner duplicate 3 --json': 'Duplicate a banner and print the copy as JSON',
  },
  async run({ id, disabled }, deps) {
    const banner = await duplicateBanner(deps.store, { id, isDisabled: disabled, username });
    return { kind: 'record', record: decodeJson(banner), fields: shownFields };
  },
});

export const bannerEnable = defineSiteCommand({
  description:
    'Turns a banner on. Whether it is shown also depends on its dates, hours, limits and targets. hcd banner list --on-schedule shows the banners whose dates and hours match now.',
  arguments: { id: bannerParameter },
  examples: {
    'banner enable 3': 'Turn on a banner',
    'banner enable 3 --json': 'Turn on a banner and print it as JSON',
  },
  run: ({ id }, { store }) => switchTo(id, { store, active: true }),
});

export const bannerDisable = defineSiteCommand({
  description:
    'Turns a banner off. From the next request on, no slot shows it. Its links, counters and click URLs are kept: a click on a page that still shows the banner works.',
  arguments: { id: bannerParameter },
  examples: {
    'banner disable 3': 'Stop showing a banner',
    'banner disable 3 --json': 'Turn off a banner and print it as JSON',
  },
  run: ({ id }, { store }) => switchTo(id, { store, active: false }),
});

export const bannerRemove = defineSiteCommand({
  description:
    'Removes a banner and its links to positions permanently. Its click URLs stop working. The statistics keep its clicks and impressions, and its id is never used again. To only hide a banner, use hcd banner disable.',
  arguments: { id: bannerParameter },
  examples: {
    'banner remove 3': 'Remove a banner',
    'banner remove 3 --yes --json': 'Remove a banner without confirmation',
  },
  destructive: {},
  async run({ id }, deps) {
    await deps.confirm(async () => {
      const { name, clicks } = await readBanner(deps.store, { id, images: await readImages(deps.store, deps.env) });
      return `Remove banner ${id} "${name}" (clicks: ${clicks}) permanently?`;
    });
    const { name } = await removeBanner(deps.store, { id, username });
    return {
      kind: 'done',
      message: `Removed banner ${id} "${name}". Its statistics are kept.`,
      data: { id, removed: true },
    };
  },
});

export const bannerAudit = defineSiteCommand({
  description:
    'Lists changes to banners, positions, presets and conversions, newest first: what changed, how, when and who changed it. The username is rest-api for the banner API and cli for a command. With --json each entry has its payload: the values before and after the change.',
  options: {
    entity: optional(
      choiceValue(auditEntities),
      'Show only changes to one kind: ad (banner), position, template (preset) or click (conversion)',
    ),
    action: optional(choiceValue(auditActions), 'Show only changes of this kind'),
    oldest: toggle('Show the oldest entry first'),
    ...rowParameters,
  },
  examples: {
    'banner audit --entity ad --action delete': 'Show removed banners',
    'banner audit --limit 1000 --json': 'Show 1000 entries with their values, as JSON',
  },
  async run(options, deps) {
    const { entity = null, action = null, oldest, limit = defaultRows, offset = 0 } = options;
    const { rows, total } = await listAudit(deps.store, {
      ...{ entity, action, limit, offset },
      sort: 'id',
      descending: !oldest,
    });
    return {
      kind: 'list',
      columns: ['id', 'created_at', 'username', 'action', 'entity', 'entity_id', 'label'],
      spare: ['id', 'username', 'entity_id', 'entity'],
      rows: rows.map(decodeJson),
      total,
      offset,
      empty: 'No matching changes.',
    };
  },
});
