/** `hcd banner`: banners. */

import { auditActions, auditEntities, listAudit } from '../src/banners/management/audit.js';
import {
  createBanner,
  createFromPreset,
  duplicateBanner,
  type WrittenBanner,
} from '../src/banners/management/create-banner.js';
import { readPreset } from '../src/banners/management/presets.js';
import { listBanners, readBanner, readImages } from '../src/banners/management/read-banners.js';
import { removeBanner, updateBanner } from '../src/banners/management/update-banner.js';
import { bannerTypes, type Preset } from '../src/banners/rules/banner.js';
import { bannerStates } from '../src/banners/rules/banner-state.js';
import { booleanValue, choiceValue, listValue, textValue } from '../src/config/value-type.js';
import type { Store } from '../src/store/open/open.js';
import {
  bannerParameter,
  bodyOf,
  presetSelector,
  shownFields,
  switchTo,
  withState,
  writeParameters,
} from './banner/shared.js';
import { defineCommand, defineSiteCommand } from './command.js';
import type { Deps } from './deps.js';
import { defaultRows, idValue, optional, rowParameters, toggle } from './parameters.js';
import { notEmpty } from './prompt.js';
import { checkChanges, type Members } from './whole-object.js';

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists banners with their positions, dates and counters. The flags filter the list like the parameters of GET /ads; --query is matched literally. With --json each banner has all its fields, its state and the reason for it.',
    options: {
      query: optional(textValue(), 'Show only banners with this text in the name or description', {
        placeholder: 'TEXT',
      }),
      active: optional(booleanValue, 'Show only active (1) or inactive (0) banners', { placeholder: 'FLAG' }),
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
      state: optional(
        choiceValue(bannerStates),
        'Show only banners that run, or do not for this reason: the first one that holds, in this order',
      ),
      sort: optional(choiceValue(['id', 'name', 'active', 'start', 'end']), 'Field to sort by (default: id)', {
        placeholder: 'FIELD',
      }),
      desc: toggle('Sort in descending order'),
      ...rowParameters,
    },
    examples: {
      'banner list --on-schedule --active 1': 'Show the banners that can be shown now',
      'banner list --state capped': 'List the banners that have reached a limit',
      'banner list --position 2 --sort end --json': 'List the banners of a position as JSON',
    },
    async run(options, deps) {
      const { limit = defaultRows, offset = 0, position, mode = 'include', sort = 'id' } = options;
      const { banners_timezone: zone } = await deps.settings('banners');
      const moment = { ms: deps.clock.now(), zone };
      const { rows, total } = await listBanners(deps.store, {
        query: options.query ?? null,
        active: options.active ?? null,
        type: options.type ?? null,
        productId: options.productId ?? null,
        categoryId: options.categoryId ?? null,
        tag: options.tag ?? null,
        positions: position === undefined ? null : { mode, ids: position },
        onScheduleAt: options.onSchedule ? moment : null,
        ...(options.state === undefined ? {} : { state: { is: options.state, at: moment } }),
        ...{ sort, descending: options.desc, limit, offset },
        images: await readImages(deps.store, deps),
      });
      return {
        kind: 'list',
        columns: ['id', 'name', 'type', 'active', 'impressions', 'clicks', 'conversions', 'end', 'positions'],
        spare: ['type', 'conversions', 'positions', 'end'],
        marks: { active: { '0': 'past' } },
        rows: rows.map((banner) => withState(banner, moment)),
        total,
        offset,
        empty: 'No matching banners. Add one: hcd banner add --name NAME',
      };
    },
  }),

  show: defineSiteCommand({
    description:
      'Shows all fields of a banner, whether it is shown and why not, its positions, its counters over all time and the URL of its image. Times are UTC; show_hours is in the time zone of banners_timezone.',
    arguments: { id: bannerParameter },
    examples: {
      'banner show 3': 'Show a banner',
      'banner show 3 --json': 'Show a banner as JSON',
    },
    async run({ id }, deps) {
      const images = await readImages(deps.store, deps);
      const { banners_timezone: zone } = await deps.settings('banners');
      const banner = await readBanner(deps.store, { id, images });
      return { kind: 'record', record: withState(banner, { ms: deps.clock.now(), zone }) };
    },
  }),

  add: defineCommand({
    description:
      'Adds a banner. The rules are those of the banner API. A name is required. Times are ISO 8601 with Z or an offset, or Unix seconds. Lists are separated by commas. show_hours is JSON such as {"days": [1,2,3,4,5], "hours": [9,10,11]}, in the time zone of banners_timezone. Use either --product-id or --category-id, and either --target-resource-id or --target-parent-id.\n\nWith --preset the banner takes its name and values from a preset; flags override them. hcd banner audit shows the change with the username cli.',
    options: {
      preset: optional(textValue(), 'Preset to take the name and values from: its id or name'),
      ...writeParameters,
    },
    examples: {
      'banner add --name "Spring sale" --url https://shop.example/sale --image banners/sale.png --positions 1,2':
        'Add an image banner at two positions',
      'banner add --file banner.json --active 0 --json': 'Add an inactive banner from a file and print it as JSON',
    },
    async run(flags, deps) {
      const given = await bodyOf(flags, deps);
      const { preset } = flags;
      // Before the database is opened: a missing flag is a usage error.
      const named =
        preset === undefined && given['name'] === undefined
          ? { ...given, name: await deps.prompt.text({ message: 'Banner name', flag: '--name', check: notEmpty }) }
          : given;
      const { store } = await deps.openSite();
      const banner =
        preset === undefined
          ? await createBanner(store, { body: named, username: deps.writer })
          : await addFromPreset(deps, { store, preset: await readPreset(store, presetSelector(preset)), given });
      const next = `The banner has no position yet. Link it: hcd position link POSITION ${banner.id}`;
      const notes = [banner.positions.length === 0 && next];
      return { kind: 'record', record: banner, fields: shownFields, notes };
    },
  }),

  duplicate: defineSiteCommand({
    description:
      'Creates a copy of a banner, with "(copy)" added to its name. The copy is linked to the same positions with the same weights, after their other banners. Counters start at zero.',
    arguments: { id: bannerParameter },
    options: { disabled: toggle('Create an inactive copy') },
    examples: {
      'banner duplicate 3 --disabled': 'Create an inactive copy to edit',
      'banner duplicate 3 --json': 'Duplicate a banner and print the copy as JSON',
    },
    async run({ id, disabled }, deps) {
      const banner = await duplicateBanner(deps.store, { id, isDisabled: disabled, username: deps.writer });
      return { kind: 'record', record: banner, fields: shownFields };
    },
  }),

  update: defineCommand({
    description:
      'Changes the given fields of a banner and keeps the others. --positions replaces the whole list: links to positions that stay in the list keep their place and weight, and an empty value removes all links. Use null to clear a time, the hours, the description or the html, and 0 to clear an id or a limit.',
    arguments: { id: bannerParameter },
    options: writeParameters,
    examples: {
      'banner update 3 --end 2026-12-31T23:59:59Z --max-clicks 500': 'End a banner on a date or after 500 clicks',
      'banner update 3 --positions 1,4 --json': 'Move a banner to other positions and print it as JSON',
    },
    async run(flags, deps) {
      const body = await bodyOf(flags, deps);
      checkChanges(body);
      const { store } = await deps.openSite();
      const banner = await updateBanner(store, { id: flags.id, body, username: deps.writer });
      return { kind: 'record', record: banner, fields: shownFields };
    },
  }),

  enable: defineSiteCommand({
    description:
      'Turns a banner on. Whether it is shown also depends on its dates, hours, limits and targets. hcd banner list --on-schedule shows the banners whose dates and hours match now.',
    arguments: { id: bannerParameter },
    examples: {
      'banner enable 3': 'Turn on a banner',
      'banner enable 3 --json': 'Turn on a banner and print it as JSON',
    },
    run: ({ id }, deps) => switchTo(id, { deps, active: true }),
  }),

  disable: defineSiteCommand({
    description:
      'Turns a banner off. From the next request on, no slot shows it. Its links, counters and click URLs are kept: a click on a page that still shows the banner works.',
    arguments: { id: bannerParameter },
    examples: {
      'banner disable 3': 'Stop showing a banner',
      'banner disable 3 --json': 'Turn off a banner and print it as JSON',
    },
    run: ({ id }, deps) => switchTo(id, { deps, active: false }),
  }),

  remove: defineSiteCommand({
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
        const { name, clicks } = await readBanner(deps.store, { id, images: await readImages(deps.store, deps) });
        return `Remove banner ${id} "${name}" (clicks: ${clicks}) permanently?`;
      });
      const { name } = await removeBanner(deps.store, { id, username: deps.writer });
      return {
        kind: 'done',
        message: `Removed banner ${id} "${name}". Its statistics are kept.`,
        data: { id, removed: true },
      };
    },
  }),

  audit: defineSiteCommand({
    description:
      'Lists changes to banners, positions, presets and conversions, newest first: what changed, how, when and who changed it. The username is rest-api for the banner API, cli for a command and studio for a command in Studio. With --json each entry has its payload: the values before and after the change.',
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
        rows,
        total,
        offset,
        empty: 'No matching changes.',
      };
    },
  }),
};

/** The name and absent values come from the preset. */
function addFromPreset(
  { writer: username }: Deps,
  { store, preset, given }: { readonly store: Store; readonly preset: Preset; readonly given: Members },
): Promise<WrittenBanner> {
  const { id, name, type, defaults_data } = preset;
  const isBare = Object.keys(given).every((field) => field === 'positions');
  return isBare
    ? createFromPreset(store, { body: { ...given, template_id: id }, username })
    : createBanner(store, { body: { type, ...defaults_data, name, ...given }, username });
}
