/** The fields of a banner (docs/banners.md#fields) as a table for validation, answers and flags. */

import { isoTimeOfSeconds } from '../../values/dates.js';
import { type Banner, type BannerValues, bannerTypes } from './banner.js';
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

const none = 0;

/** In the order in which answers show them. */
export const bannerFields: { readonly [Name in keyof BannerValues]: BannerField<BannerValues[Name]> } = Object.freeze({
  name: { type: neededText({ maxLength: 255 }), default: undefined, description: 'Internal name.' },
  url: {
    type: addressType({ maxLength: 2048 }),
    default: '',
    description: 'Where a click leads; empty = the banner is not a link.',
  },
  image: {
    type: optionalText({ maxLength: 255 }),
    default: '',
    description: 'Path of the image in the media source, or its whole address.',
  },
  source: {
    type: countType,
    default: none,
    description: "Id of the media source of the image; 0 = banners_media_source, else the site's default source.",
  },
  active: { type: flagType, default: 1, description: 'Whether the banner is shown at all.' },
  description: {
    type: nullableText({ maxBytes: 65_535 }),
    default: null,
    description: 'Text for the alternative text or title of the image.',
  },
  type: { type: choiceType(bannerTypes), default: 'image', description: 'What is shown: the image or the html.' },
  html: {
    type: nullableText({ maxBytes: 16_777_215 }),
    default: null,
    description: 'Markup of a banner of type html.',
  },
  start: { type: momentType, default: null, description: 'First moment at which the banner is shown.' },
  end: { type: momentType, default: null, description: 'Last moment at which the banner is shown.' },
  product_id: {
    type: countType,
    default: none,
    description: 'Product with which the banner is shown; excludes category_id.',
  },
  category_id: {
    type: countType,
    default: none,
    description: 'Category with whose products the banner is shown; excludes product_id.',
  },
  max_clicks: { type: countType, default: none, description: 'Clicks after which the banner is no longer shown.' },
  max_impressions: {
    type: countType,
    default: none,
    description: 'Impressions after which the banner is no longer shown.',
  },
  show_hours: {
    type: hoursType,
    default: null,
    description: 'Weekdays and hours at which the banner is shown, by the clocks of banners_timezone.',
  },
  target_resource_id: {
    type: countType,
    default: none,
    description: 'The only page on which the banner is shown; excludes target_parent_id.',
  },
  target_parent_id: {
    type: countType,
    default: none,
    description: 'Section on whose pages the banner is shown; excludes target_resource_id.',
  },
  tags: { type: tagsType, default: Object.freeze([]), description: 'Tags by which a slot asks for the banner.' },
});

const otherFields = Object.freeze({
  newimage: {
    type: optionalText({ maxLength: 255 }),
    default: '',
    description: 'Replaces image when it is given.',
  } satisfies BannerField<string>,
  positions: {
    type: idsType,
    default: Object.freeze([]),
    description: 'Ids of the positions at which the banner is shown; the whole list. Absent leaves them as they are.',
  } satisfies BannerField<readonly number[]>,
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
