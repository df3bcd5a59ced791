/** The commands that write banners. Their flags are the fields of the table, under their own names. */
import { createBanner, createFromPreset, type WrittenBanner } from '../../src/banners/management/create-banner.js';
import { readPreset } from '../../src/banners/management/presets.js';
import { updateBanner } from '../../src/banners/management/update-banner.js';
import type { Preset } from '../../src/banners/rules/banner.js';
import { type BannerFieldName, bannerField, bannerFieldNames } from '../../src/banners/rules/banner-fields.js';
import { countType, flagType, hoursType, idsType, momentType, tagsType } from '../../src/banners/rules/field-types.js';
import { textValue } from '../../src/config/value-type.js';
import type { Store } from '../../src/store/open/open.js';
import { bannerParameter, decodeJson, shownFields, username } from '../banner.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { anyText, optional, type Parameter } from '../parameters.js';
import { notEmpty } from '../prompt.js';
import { camelCase, checkChanges, type Members, wholeObject, wholeParameters } from '../whole-object.js';

type TextFlags = Readonly<Record<string, Parameter<string | undefined>>>;

const placeholders = new Map<object, string>([
  [countType, 'N'],
  [flagType, 'FLAG'],
  [momentType, 'TIME'],
  [hoursType, 'JSON'],
  [tagsType, 'LIST'],
  [idsType, 'LIST'],
]);

function fieldFlags(names: readonly BannerFieldName[]): TextFlags {
  const flags = names.map((name) => {
    const description = bannerField(name).description.replace(/\.$/, '');
    return [camelCase(name), optional(anyText, { placeholder: placeholderOf(name), description })];
  });
  return Object.fromEntries(flags);
}

const whole = wholeParameters('{"name": "Spring sale"}', 'Fields by name; flags override them');

const givenWithBanner: readonly BannerFieldName[] = ['name', 'newimage', 'positions', 'type'];

/** Every field, and the whole banner at once. */
const writeParameters = { ...whole, ...fieldFlags(bannerFieldNames) };

/** The fields of which a preset has values; its name and type are its own. */
export const presetParameters = {
  ...whole,
  ...fieldFlags(bannerFieldNames.filter((name) => !givenWithBanner.includes(name))),
};

/** The values of all flags, by the name of the flag in camelCase. */
export type WriteFlags = Readonly<Record<string, unknown>> & {
  readonly data?: string | undefined;
  readonly file?: string | undefined;
};

/** The body as a client of the API would send it: the whole banner first, single flags over it. */
export async function bodyOf(flags: WriteFlags, deps: Deps): Promise<Members> {
  const fields = bannerFieldNames.flatMap((name) => {
    const text = flags[camelCase(name)];
    return typeof text === 'string' ? [[name, jsonOf(name, text)] as const] : [];
  });
  return { ...(await wholeObject(flags, deps)), ...Object.fromEntries(fields) };
}

/** The text null means that a time or a text is not set. */
function jsonOf(name: BannerFieldName, text: string): unknown {
  const { type, default: unset } = bannerField(name);
  if (text === 'null' && unset === null) return null;
  // Presets keep what they are given, and numbers are nicer to read there than their texts.
  const isNumber = (type === countType || type === flagType) && /^\d{1,15}$/.test(text);
  return isNumber ? Number(text) : (type.fromText?.(text) ?? text);
}

/** By id or by name. */
export function presetSelector(text: string): { readonly id: number } | { readonly name: string } {
  return /^[1-9]\d{0,9}$/.test(text) ? { id: Number(text) } : { name: text };
}

function placeholderOf(name: BannerFieldName): string {
  return placeholders.get(bannerField(name).type) ?? 'TEXT';
}

export const bannerAdd = defineCommand({
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
    // Before the database is opened: what is missing on the command line is wrong usage.
    const named =
      preset === undefined && given['name'] === undefined
        ? { ...given, name: await deps.prompt.text({ message: 'Banner name', flag: '--name', check: notEmpty }) }
        : given;
    const { store } = await deps.openSite();
    const banner =
      preset === undefined
        ? await createBanner(store, { body: named, username })
        : await addFromPreset(store, { preset: await readPreset(store, presetSelector(preset)), given });
    const next = `The banner has no position yet. Link it: hcd position link POSITION ${banner.id}`;
    const notes = [banner.positions.length === 0 && next];
    return { kind: 'record', record: decodeJson(banner), fields: shownFields, notes };
  },
});

/** The banner takes the name and the values of the preset, unless they are given. */
function addFromPreset(
  store: Store,
  { preset, given }: { readonly preset: Preset; readonly given: Members },
): Promise<WrittenBanner> {
  const { id, name, type, defaults_data } = preset;
  const isBare = Object.keys(given).every((field) => field === 'positions');
  return isBare
    ? createFromPreset(store, { body: { ...given, template_id: id }, username })
    : createBanner(store, { body: { type, ...defaults_data, name, ...given }, username });
}

export const bannerUpdate = defineCommand({
  description:
    'Changes the given fields of a banner and keeps the others. --positions replaces the whole list: links to positions that stay in the list keep their place and weight, and an empty value removes all links. Use null to clear a time, the hours, the description or the html, and 0 to clear an id or a limit.',
  arguments: { id: bannerParameter },
  options: { ...writeParameters },
  examples: {
    'banner update 3 --end 2026-12-31T23:59:59Z --max-clicks 500': 'End a banner on a date or after 500 clicks',
    'banner update 3 --positions 1,4 --json': 'Move a banner to other positions and print it as JSON',
  },
  async run(flags, deps) {
    const body = await bodyOf(flags, deps);
    checkChanges(body);
    const { store } = await deps.openSite();
    const banner = await updateBanner(store, { id: flags.id, body, username });
    return { kind: 'record', record: decodeJson(banner), fields: shownFields };
  },
});
