/** The form of a banner, in groups: what is shown, where, when, on which pages, how often. */
import type { Json, JsonObject, RunResult } from '../api.js';
import { CommandForm, type Known, useDraft } from '../command-form.js';
import { type InputProps, TextInput } from '../inputs.js';
import { useChoices } from '../list-view.js';
import { MediaInput, PageButton, pageOfSite, useTitles } from '../pages/pickers.js';
import { texts } from '../texts.js';
import { textOf } from '../values.js';
import { WeekHours, ZoneTime } from './zone-times.js';

interface BannerFormProps {
  /** Empty: a new one. */
  readonly id: string;
  readonly stored: JsonObject;
  readonly onDone?: (result: RunResult) => void;
}

export function BannerForm({ id, stored, onDone }: BannerFormProps) {
  const t = texts.banners;
  const path = id === '' ? 'banner add' : 'banner update';
  const draft = useDraft(`banner ${id}`);
  const positions = usePositions();
  const page = { emptied: '0', control: pageOfSite };
  const time: Known[string] = { emptied: 'null', control: (field) => <ZoneTime {...field} /> };
  const picture = (field: InputProps<string>) => (
    <MediaInput
      {...field}
      {...(field.value === textOf(stored['image']) && { address: textOf(stored['current_image']) })}
    />
  );
  const known: Known = {
    name: { required: true },
    type: { kind: 'choice', choices: Object.entries(t.kinds), isOpen: false },
    html: { emptied: 'null' },
    image: { title: texts.writing.picture, control: picture },
    url: { title: texts.writing.link, description: t.linkHelp, control: (field) => <LinkInput {...field} /> },
    description: { emptied: 'null', description: t.descriptionHelp },
    positions: {
      ...{ kind: 'list', choices: positions, isOpen: false },
      ...(positions.length === 0 && { description: t.noPositions }),
    },
    ...{ start: time, end: time },
    tags: { description: t.tagsHelp },
    'show-hours': { emptied: 'null', control: (field) => <WeekHours {...field} /> },
    ...{ 'target-resource-id': page, 'target-parent-id': page, 'product-id': page, 'category-id': page },
    ...{ 'max-clicks': { emptied: '0' }, 'max-impressions': { emptied: '0' } },
  };
  const isHtml = (draft.values['type'] ?? stored['type']) === 'html';
  return (
    <CommandForm
      {...{ path, known, draft, flags: bannerFlags, submit: id === '' ? texts.create : texts.save }}
      {...(id === '' ? { initial: { type: 'image' } } : { words: [id], stored })}
      {...(onDone && { onDone })}
      groups={[
        { names: ['name'] },
        { title: t.shown, names: ['type', isHtml ? 'html' : 'image', 'url', 'description'] },
        { title: t.where, names: ['positions'] },
        { title: t.when, names: ['start', 'end'] },
        { title: t.hours, isFolded: true, names: ['show-hours'] },
        {
          ...{ title: t.targeting, isFolded: true },
          names: ['target-resource-id', 'target-parent-id', 'product-id', 'category-id', 'tags'],
        },
        { title: t.limits, isFolded: true, names: ['max-clicks', 'max-impressions'] },
      ]}
    />
  );
}

/** Tags may be typed with spaces. */
function bannerFlags({ tags, ...rest }: Readonly<Record<string, Json>>) {
  return { ...rest, ...(tags !== undefined && { tags: String(tags).split(/[\s,]+/) }) };
}

export function usePositions() {
  return useChoices('position list', { options: { sort: 'name', limit: 500 } }, ['id', 'name']);
}

/** A link to a page of the site is stored with its id. */
function LinkInput({ help, ...field }: InputProps<string>) {
  const [, page = ''] = /^\[\[~(\d{1,10})\]\]$/.exec(field.value) ?? [];
  const titleOf = useTitles([page]);
  return (
    <TextInput {...field} help={titleOf(page) || help}>
      <PageButton choose={({ id }) => field.change(`[[~${id}]]`)} />
    </TextInput>
  );
}
