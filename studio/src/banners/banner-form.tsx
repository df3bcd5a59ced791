/** The form of a banner, in groups: what is shown, where, when, on which pages, how often. */
import type { Json, JsonObject, RunResult } from '../api.js';
import { CommandForm, fieldsOf, type Known, useDraft } from '../command-form.js';
import { type InputProps, TextInput } from '../inputs.js';
import { useChoices } from '../list-view.js';
import { PageInput, pageOfSite } from '../pages/pickers.js';
import { fieldValue } from '../parameter-field.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { textOf, titleOf } from '../values.js';
import { PictureField } from './picture.js';
import { WeekHours } from './week-hours.js';
import { ZoneTime } from './zone-time.js';

interface BannerFormProps {
  /** Empty: a new one. */
  readonly id: string;
  readonly stored: JsonObject;
  readonly zone: string;
  readonly onDone?: (result: RunResult) => void;
}

export function BannerForm({ id, stored, zone, onDone }: BannerFormProps) {
  const t = texts.banners;
  const path = id === '' ? 'banner add' : 'banner update';
  const command = useCommand(path);
  const draft = useDraft(`banner ${id}`);
  const positions = usePositions() ?? [];
  const before = storedValues(stored);
  const page = { emptied: '0', control: pageOfSite };
  const picture = (field: InputProps<string>) => (
    <PictureField
      {...field}
      address={field.value === before['image'] ? textOf(stored['current_image']) : field.value}
    />
  );
  const time = (field: InputProps<string>) => <ZoneTime {...field} zone={zone} />;
  const known: Known = {
    name: { required: true },
    type: { kind: 'choice', choices: Object.entries(t.kinds), isOpen: false },
    html: { emptied: 'null' },
    image: { title: texts.writing.picture, control: picture },
    url: { title: texts.writing.link, control: link },
    description: { emptied: 'null' },
    positions: {
      kind: 'list',
      choices: positions,
      isOpen: false,
      ...(positions.length === 0 && { description: t.noPositions }),
    },
    start: { title: titleOf('from'), description: t.timeHelp(zone), emptied: 'null', control: time },
    end: { title: t.end, description: '', emptied: 'null', control: time },
    'show-hours': { emptied: 'null', control: (field) => <WeekHours {...field} zone={zone} /> },
    ...{ 'target-resource-id': page, 'target-parent-id': page, 'product-id': page, 'category-id': page },
    ...{ 'max-clicks': { emptied: '0' }, 'max-impressions': { emptied: '0' } },
  };
  const fields = (...names: readonly string[]) => fieldsOf(command, names, known);
  const isHtml = (draft.values['type'] ?? before['type']) === 'html';
  return (
    <CommandForm
      {...{ path, draft, flags: bannerFlags, submit: id === '' ? texts.create : texts.save }}
      {...(id === '' ? { initial: { type: 'image' } } : { initial: { ID: id }, stored: before })}
      {...(onDone && { onDone })}
      groups={[
        { fields: fields('name') },
        { title: t.shown, fields: fields('type', isHtml ? 'html' : 'image', 'url', 'description') },
        { title: t.where, fields: fields('positions') },
        { title: t.when, fields: fields('start', 'end') },
        { title: t.hours, isFolded: true, fields: fields('show-hours') },
        {
          ...{ title: t.targeting, isFolded: true },
          fields: fields('target-resource-id', 'target-parent-id', 'product-id', 'category-id', 'tags'),
        },
        { title: t.limits, isFolded: true, fields: fields('max-clicks', 'max-impressions') },
      ]}
    />
  );
}

/** By flag; 0 is no id and no limit. */
function storedValues(banner: JsonObject) {
  const members = Object.entries(banner).map(([name, value]) => [
    name.replaceAll('_', '-'),
    fieldValue(value === 0 ? null : value),
  ]);
  return Object.fromEntries(members);
}

/** Tags may be typed with spaces. */
function bannerFlags({ tags, ...rest }: Readonly<Record<string, Json>>) {
  return { ...rest, ...(tags !== undefined && { tags: String(tags).split(/[\s,]+/) }) };
}

export function usePositions() {
  return useChoices('position list', { options: { sort: 'name', limit: 500 } }, ['id', 'name']);
}

/** A link to a page of the site, as it is stored. */
const pageLink = /^\[\[~(\d{1,10})\]\]$/;

function link(field: InputProps<string>) {
  return (
    <>
      <TextInput {...field} />
      <PageInput
        label={texts.writing.orPage}
        value={pageLink.exec(field.value)?.[1] ?? ''}
        change={(page) => field.change(page === '' ? '' : `[[~${page}]]`)}
      />
    </>
  );
}
