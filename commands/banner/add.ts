/** `hcd banner add`: add a banner. */
import { createBanner, createFromPreset, type WrittenBanner } from '../../src/banners/management/create-banner.js';
import { readPreset } from '../../src/banners/management/presets.js';
import type { Preset } from '../../src/banners/rules/banner.js';
import { textValue } from '../../src/config/value-type.js';
import type { Store } from '../../src/store/open/open.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { optional } from '../parameters.js';
import { notEmpty } from '../prompt.js';
import type { Members } from '../whole-object.js';
import { decodeJson, shownFields } from './shared.js';
import { bodyOf, presetSelector, writeParameters } from './write.js';

export const command = defineCommand({
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
    return { kind: 'record', record: decodeJson(banner), fields: shownFields, notes };
  },
});

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
