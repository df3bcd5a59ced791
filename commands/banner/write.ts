/** What banner add and banner update share: the flags of the fields, and their values. */
import { type BannerFieldName, bannerField, bannerFieldNames } from '../../src/banners/rules/banner-fields.js';
import { countType, flagType, hoursType, idsType, momentType, tagsType } from '../../src/banners/rules/field-types.js';
import type { Deps } from '../deps.js';
import { anyText, optional, type Parameter } from '../parameters.js';
import { camelCase, type Members, wholeObject, wholeParameters } from '../whole-object.js';

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

export const writeParameters = { ...whole, ...fieldFlags(bannerFieldNames) };

export const presetParameters = {
  ...whole,
  ...fieldFlags(bannerFieldNames.filter((name) => !givenWithBanner.includes(name))),
};

type WriteFlags = Readonly<Record<string, unknown>> & {
  readonly data?: string | undefined;
  readonly file?: string | undefined;
};

/** The whole banner first, single flags over it. */
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
  // Presets store values as given, and numbers are easier to read than texts.
  const isNumber = (type === countType || type === flagType) && /^\d{1,15}$/.test(text);
  return isNumber ? Number(text) : (type.fromText?.(text) ?? text);
}

export function presetSelector(text: string): { readonly id: number } | { readonly name: string } {
  return /^[1-9]\d{0,9}$/.test(text) ? { id: Number(text) } : { name: text };
}

function placeholderOf(name: BannerFieldName): string {
  return placeholders.get(bannerField(name).type) ?? 'TEXT';
}
