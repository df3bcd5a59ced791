/** The flags with which commands write a banner: one for each field of the table, under its own name. */

import { type BannerFieldName, bannerField, bannerFieldNames } from '../../src/banners/rules/banner-fields.js';
import {
  countType,
  flagType,
  hoursType,
  idsType,
  momentType,
  plainObject,
  tagsType,
} from '../../src/banners/rules/field-types.js';
import { fileValue, refusal, textValue, type ValueType } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Deps } from '../deps.js';
import { readJsonFile, sourceName } from '../page/read-json-file.js';
import { optional, type Parameter } from '../parameters.js';
import { usageError } from '../usage-error.js';

/** The type of the field checks the value, so the flag accepts any text. */
const anyText = textValue({ pattern: /^/ });

const objectAccepts = 'a JSON object such as {"name": "Spring sale"}';

const jsonObject: ValueType<string> = {
  ...textValue({ accepts: objectAccepts }),
  parse: (text) => (readObject(text) === null ? refusal(objectAccepts, text) : { ok: true, value: text }),
};

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

const wholeParameters = {
  data: optional(jsonObject, { placeholder: 'JSON', description: 'Fields by name; flags override them' }),
  file: optional(fileValue, {
    placeholder: 'FILE',
    description: 'File with such a JSON object, or - for standard input',
  }),
};

const givenWithBanner: readonly BannerFieldName[] = ['name', 'newimage', 'positions', 'type'];

/** Every field, and the whole banner at once. */
export const writeParameters = { ...wholeParameters, ...fieldFlags(bannerFieldNames) };

/** The fields of which a preset has values; its name and type are its own. */
export const presetParameters = {
  ...wholeParameters,
  ...fieldFlags(bannerFieldNames.filter((name) => !givenWithBanner.includes(name))),
};

/** The values of all flags, by the name of the flag in camelCase. */
export type WriteFlags = Readonly<Record<string, unknown>> & {
  readonly data?: string | undefined;
  readonly file?: string | undefined;
};

export type Members = Readonly<Record<string, unknown>>;

/** The body as a client of the API would send it: the whole banner first, single flags over it. */
export async function bodyOf(flags: WriteFlags, deps: Deps): Promise<Members> {
  const fields = bannerFieldNames.flatMap((name) => {
    const text = flags[camelCase(name)];
    return typeof text === 'string' ? [[name, jsonOf(name, text)] as const] : [];
  });
  return { ...(await wholeObject(flags, deps)), ...Object.fromEntries(fields) };
}

/** The JSON object of --data, or of --file; empty without both. Throws usage and refused. */
async function wholeObject({ data, file }: Pick<WriteFlags, 'data' | 'file'>, deps: Deps): Promise<Members> {
  if (data !== undefined && file !== undefined) throw usageError({ '--file': 'cannot be combined with --data' });
  if (file === undefined) return data === undefined ? {} : (readObject(data) ?? {});
  const whole = plainObject(await readJsonFile(file, deps));
  if (whole !== null) return whole;
  throw new AppError('refused', { message: `${sourceName(file)} does not hold a JSON object of fields` });
}

/** The text null means that a time or a text is not set. */
function jsonOf(name: BannerFieldName, text: string): unknown {
  const { type, default: unset } = bannerField(name);
  if (text === 'null' && unset === null) return null;
  // Presets keep what they are given, and numbers are nicer to read there than their texts.
  const isNumber = (type === countType || type === flagType) && /^\d{1,15}$/.test(text);
  return isNumber ? Number(text) : type.fromText(text);
}

function readObject(text: string): Members | null {
  try {
    return plainObject(JSON.parse(text));
  } catch {
    return null;
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}

function placeholderOf(name: BannerFieldName): string {
  return placeholders.get(bannerField(name).type) ?? 'TEXT';
}
