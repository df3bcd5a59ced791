/** The fields of a banner, in groups: what is shown, where, when, on which pages, how often. */
import type { JsonObject } from '../api.js';
import { TextInput } from '../inputs.js';
import { useChoices } from '../list-view.js';
import {
  type Changes,
  type Draft,
  type FieldProps,
  type FormField,
  type FormGroup,
  flagText,
  linesOfText,
  oneOf,
  pageOfSite,
  ResourceField,
  someOf,
} from '../record-form.js';
import { texts } from '../texts.js';
import { textOf } from '../values.js';
import { PictureField } from './picture.js';
import { WeekHours } from './week-hours.js';
import { ZoneTime } from './zone-time.js';

interface About {
  /** Empty: a new one. */
  readonly stored: JsonObject;
  readonly draft: Draft;
  readonly zone: string;
}

export function useBannerGroups({ stored, draft, zone }: About): readonly FormGroup[] {
  const t = texts.banners;
  const positions = usePositions();
  const field = (name: string, own: Partial<FormField> = {}): FormField => ({
    ...{ name, before: flagText(stored[name.replaceAll('-', '_')]) },
    ...own,
  });
  const number = (name: string, own: Partial<FormField> = {}): FormField => {
    const { before } = field(name);
    return { ...field(name, own), before: before === '0' ? '' : before, emptied: '0' };
  };
  const time = (own: FieldProps) => <ZoneTime {...own} zone={zone} />;
  const type = field('type', { before: flagText(stored['type']) || 'image', control: oneOf(Object.entries(t.kinds)) });
  const image = field('image', { label: t.picture, help: t.pictureHelp });
  const picture = (own: FieldProps) => (
    <PictureField {...own} address={own.value === image.before ? textOf(stored['current_image']) : own.value} />
  );
  return [
    { fields: [field('name', { required: true })] },
    {
      title: t.shown,
      fields: [
        type,
        (draft.changes['type'] ?? type.before) === 'html'
          ? field('html', { emptied: 'null', control: linesOfText })
          : { ...image, control: picture },
        field('url', { label: t.url, help: t.urlHelp, control: link }),
        field('description', { help: t.descriptionHelp, emptied: 'null' }),
      ],
    },
    {
      title: t.where,
      fields: [
        field('positions', {
          control: someOf(positions ?? []),
          help: positions?.length === 0 ? t.noPositions : undefined,
        }),
      ],
    },
    {
      title: t.when,
      fields: [
        field('start', { label: t.start, help: t.timeHelp(zone), emptied: 'null', control: time }),
        field('end', { label: t.end, emptied: 'null', control: time }),
      ],
    },
    {
      ...{ title: t.hours, isFolded: true },
      fields: [field('show-hours', { emptied: 'null', control: (own) => <WeekHours {...own} zone={zone} /> })],
    },
    {
      ...{ title: t.targeting, isFolded: true },
      fields: [
        ...['target-resource-id', 'target-parent-id', 'product-id', 'category-id'].map((name) =>
          number(name, { control: pageOfSite }),
        ),
        field('tags', { help: t.tagsHelp }),
      ],
    },
    { ...{ title: t.limits, isFolded: true }, fields: [number('max-clicks'), number('max-impressions')] },
  ];
}

/** Tags may be typed with spaces. */
export function bannerFlags({ tags, ...rest }: Changes) {
  return { ...rest, ...(tags !== undefined && { tags: tags.split(/[\s,]+/).join(',') }) };
}

export function usePositions() {
  return useChoices('position list', { options: { sort: 'name', limit: 500 } }, ['id', 'name']);
}

/** A link to a page of the site, as it is stored. */
const pageLink = /^\[\[~(\d{1,10})\]\]$/;

function link(field: FieldProps) {
  return (
    <>
      <TextInput {...field} />
      <ResourceField
        label={texts.banners.orPage}
        value={pageLink.exec(field.value)?.[1] ?? ''}
        problems={[]}
        change={(page) => field.change(page === '' ? '' : `[[~${page}]]`)}
      />
    </>
  );
}
