/** The form of a banner, in groups: what is shown, where, when, on which pages, how often. */
import type { Json, JsonObject, RunResult } from '../api.js';
import { CommandForm, fieldsOf, type Known, useDraft } from '../command-form.js';
import { type InputProps, TextInput } from '../inputs.js';
import { useChoices } from '../list-view.js';
import { MediaInput, PageInput, pageOfSite } from '../pages/pickers.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { recordOf, textOf, titleOf } from '../values.js';
import { WeekHours } from './week-hours.js';

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
  const positions = usePositions();
  const page = { emptied: '0', control: pageOfSite };
  const picture = ({ change, ...field }: InputProps<string>) => (
    <MediaInput
      {...field}
      {...(field.value === textOf(stored['image']) && { address: textOf(stored['current_image']) })}
      change={({ url }) => change(url)}
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
      ...{ kind: 'list', choices: positions, isOpen: false },
      ...(positions.length === 0 && { description: t.noPositions }),
    },
    start: { title: titleOf('from'), description: t.timeHelp(zone), emptied: 'null', control: time },
    end: { title: t.end, description: '', emptied: 'null', control: time },
    'show-hours': { emptied: 'null', control: (field) => <WeekHours {...field} zone={zone} /> },
    ...{ 'target-resource-id': page, 'target-parent-id': page, 'product-id': page, 'category-id': page },
    ...{ 'max-clicks': { emptied: '0' }, 'max-impressions': { emptied: '0' } },
  };
  const fields = (...names: readonly string[]) => fieldsOf(command, names, known);
  const isHtml = (draft.values['type'] ?? stored['type']) === 'html';
  return (
    <CommandForm
      {...{ path, draft, flags: bannerFlags, submit: id === '' ? texts.create : texts.save }}
      {...(id === '' ? { initial: { type: 'image' } } : { words: [id], stored })}
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

/** In which banners run; empty while it is read. */
export function useZone(): string {
  const { result } = useRun('setting get', { arguments: ['banners_timezone'] });
  return textOf(recordOf(result?.data)['value']);
}

export function ZoneTime({ zone, value, change, ...field }: InputProps<string> & { readonly zone: string }) {
  return (
    <TextInput
      {...field}
      type="datetime-local"
      value={clockText(Date.parse(value), zone)}
      change={(local) => change(timeOf(local, zone))}
    />
  );
}

/** `2026-11-28T09:30` by the clocks of a zone; empty for none. Swedes write times as ISO 8601 does. */
function clockText(ms: number, zone: string): string {
  if (Number.isNaN(ms)) return '';
  return new Date(ms).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T').slice(0, 16);
}

/** With an offset; empty for none. */
function timeOf(clock: string, zone: string): string {
  const shown = Date.parse(`${clock}Z`);
  if (Number.isNaN(shown)) return '';
  const ahead = (ms: number): number => Date.parse(`${clockText(ms, zone)}Z`) - ms;
  return new Date(shown - ahead(shown - ahead(shown))).toISOString().replace(/\.\d+Z$/, 'Z');
}
