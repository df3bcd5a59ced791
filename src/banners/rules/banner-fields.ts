/** The fields of a banner (docs/banners.md#fields) as a table for validation, answers and flags. */

import { isoTimeOfSeconds } from '../../values/dates.js';
import { bannerTypes } from './banner.js';
import {
  addressType,
  choiceType,
  countType,
  type FieldType,
  flagType,
  hoursType,
  idsType,
  momentType,
  neededText,
  nullableText,
  optionalText,
  tagsType,
} from './field-types.js';

interface BannerField<T> {
  readonly type: FieldType<T>;
  readonly default: T | undefined;
  readonly description: string;
}

function field<T>(type: FieldType<T>, byDefault: NoInfer<T> | undefined, description: string): BannerField<T> {
  return { type, default: byDefault, description };
}

const none = 0;

/** In the order in which answers show them. */
export const bannerFields = Object.freeze({
  name: field(neededText({ maxLength: 255 }), undefined, 'Internal name.'),
  url: field(addressType({ maxLength: 2048 }), '', 'Where a click leads; empty = the banner is not a link.'),
  image: field(optionalText({ maxLength: 255 }), '', 'Path of the image in the media source, or its whole address.'),
  source: field(
    countType,
    none,
    "Id of the media source of the image; 0 = banners_media_source, else the site's default source.",
  ),
  active: field(flagType, 1, 'Whether the banner is shown at all.'),
  description: field(nullableText({ maxBytes: 65_535 }), null, 'Text for the alternative text or title of the image.'),
  type: field(choiceType(bannerTypes), 'image', 'What is shown: the image or the html.'),
  html: field(nullableText({ maxBytes: 16_777_215 }), null, 'Markup of a banner of type html.'),
  start: field(momentType, null, 'First moment at which the banner is shown.'),
  end: field(momentType, null, 'Last moment at which the banner is shown.'),
  product_id: field(countType, none, 'Product with which the banner is shown; excludes category_id.'),
  category_id: field(countType, none, 'Category with whose products the banner is shown; excludes product_id.'),
  max_clicks: field(countType, none, 'Clicks after which the banner is no longer shown.'),
  max_impressions: field(countType, none, 'Impressions after which the banner is no longer shown.'),
  show_hours: field(
    hoursType,
    null,
    'Weekdays and hours at which the banner is shown, by the clocks of banners_timezone.',
  ),
  target_resource_id: field(countType, none, 'The only page on which the banner is shown; excludes target_parent_id.'),
  target_parent_id: field(countType, none, 'Section on whose pages the banner is shown; excludes target_resource_id.'),
  tags: field(tagsType, Object.freeze([]), 'Tags by which a slot asks for the banner.'),
});

/** Times are Unix seconds, null = unbounded; 0 = none in every field that holds an id or a limit. */
export type BannerValues = {
  readonly [Name in keyof typeof bannerFields]: (typeof bannerFields)[Name] extends BannerField<infer T> ? T : never;
};

export interface Banner extends BannerValues {
  readonly id: number;
}

const otherFields = Object.freeze({
  newimage: field(optionalText({ maxLength: 255 }), '', 'Replaces image when it is given.'),
  positions: field(
    idsType,
    Object.freeze([]),
    'Ids of the positions at which the banner is shown; the whole list. Absent leaves them as they are.',
  ),
});

export type BannerValueName = keyof BannerValues;
export type BannerFieldName = BannerValueName | keyof typeof otherFields;

export const bannerValueNames: readonly BannerValueName[] = Object.freeze(
  Object.keys(bannerFields).filter((name): name is BannerValueName => name in bannerFields),
);

export const bannerFieldNames: readonly BannerFieldName[] = Object.freeze([
  ...bannerValueNames,
  ...Object.keys(otherFields).filter((name): name is keyof typeof otherFields => name in otherFields),
]);

export const exclusivePairs: readonly (readonly [BannerValueName, BannerValueName])[] = Object.freeze([
  ['product_id', 'category_id'],
  ['target_resource_id', 'target_parent_id'],
]);

export function bannerField(name: BannerFieldName): BannerField<unknown> {
  // Each row's type and default belong together; only the union over all rows needs widening.
  return { ...bannerFields, ...otherFields }[name] as BannerField<unknown>;
}

export function bannerSchema(required: readonly BannerFieldName[]): Readonly<Record<string, unknown>> {
  const properties = bannerFieldNames.map((name) => {
    const { type, description } = bannerField(name);
    return [name, { ...type.schema, description }];
  });
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

type BannerValuesRecord = {
  readonly [Name in keyof BannerValues]: Name extends 'start' | 'end' ? string | null : BannerValues[Name];
};

export interface BannerRecord extends BannerValuesRecord {
  readonly id: number;
}

export function bannerRecord(banner: Banner): BannerRecord {
  return { id: banner.id, ...valuesRecord(banner) };
}

export function valuesRecord(values: BannerValues): BannerValuesRecord {
  const ordered = bannerValueNames.map((name) => [name, values[name]]);
  return {
    ...Object.fromEntries(ordered),
    start: isoTimeOfSeconds(values.start),
    end: isoTimeOfSeconds(values.end),
  } as BannerValuesRecord;
}
