/** `hcd banner add`: a new banner from flags, JSON, a file or a preset. */
import { createBanner, createFromPreset, type WrittenBanner } from '../../src/banners/management/create-banner.js';
import { readPreset } from '../../src/banners/management/presets.js';
import type { Preset } from '../../src/banners/rules/banner.js';
import { textValue } from '../../src/config/value-type.js';
import type { Store } from '../../src/store/open/open.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { optional } from '../parameters.js';
import { presetSelector } from '../preset/shared.js';
import type { Members } from '../whole-object.js';
import { bodyOf, writeParameters } from './field-flags.js';
import { bannerJson, shownFields, username } from './shared.js';

interface FromPreset {
  readonly preset: Preset;
  /** Fields that override those of the preset. */
  readonly given: Members;
}

export const command = defineCommand({
  path: 'banner add',
  summary: 'Add a banner',
  description:
    'Adds a banner. The rules are those of the banner API. A name is required. Times are ISO 8601 with Z or an offset, or Unix seconds. Lists are separated by commas. show_hours is JSON such as {"days": [1,2,3,4,5], "hours": [9,10,11]}, in the time zone of banners_timezone. Use either --product-id or --category-id, and either --target-resource-id or --target-parent-id.\n\nWith --preset the banner takes its name and values from a preset; flags override them. hcd banner audit shows the change with the username cli.',
  arguments: {},
  options: {
    preset: optional(textValue(), {
      placeholder: 'PRESET',
      description: 'Preset to take the name and values from: its id or name',
    }),
    ...writeParameters,
  },
  examples: [
    {
      line: 'banner add --name "Spring sale" --url https://shop.example/sale --image banners/sale.png --positions 1,2',
      does: 'Add an image banner at two positions',
    },
    {
      line: 'banner add --file banner.json --active 0 --json',
      does: 'Add an inactive banner from a file and print it as JSON',
    },
  ],
  async run(flags, deps) {
    const given = await bodyOf(flags, deps);
    const { preset } = flags;
    // Before the database is opened: what is missing on the command line is wrong usage.
    const named = preset === undefined && given['name'] === undefined ? { ...given, name: await askName(deps) } : given;
    const store = await deps.openReady();
    const banner =
      preset === undefined
        ? await createBanner(store, { body: named, username })
        : await addFromPreset(store, { preset: await readPreset(store, presetSelector(preset)), given });
    const notes =
      banner.positions.length === 0
        ? [`The banner has no position yet. Link it: hcd position link POSITION ${banner.id}`]
        : [];
    return { kind: 'record', record: bannerJson(banner), fields: shownFields, notes };
  },
});

function askName(deps: Deps): Promise<string> {
  const check = (text: string): string | null => (text.trim() === '' ? 'must not be empty' : null);
  return deps.prompt.text({ message: 'Banner name', flag: '--name', check });
}

/** A banner from a preset takes the preset's name and values. */
function addFromPreset(store: Store, { preset, given }: FromPreset): Promise<WrittenBanner> {
  const { id, name, type, defaults_data } = preset;
  const isBare = Object.keys(given).every((field) => field === 'positions');
  return isBare
    ? createFromPreset(store, { body: { ...given, template_id: id }, username })
    : createBanner(store, { body: { type, ...defaults_data, name, ...given }, username });
}
