/** The form of a banner, in groups: what is shown, where, when, on which pages, how often. */
import type { Json, JsonObject, RunResult } from '../api.js';
import { CommandForm, fieldsOf, type Known, useDraft } from '../command-form.js';
import { type InputProps, TextInput } from '../inputs.js';
import { useChoices } from '../list-view.js';
import { PageInput, pageOfSite } from '../pages/pickers.js';
import { fieldValue } from '../parameter-field.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { recordOf, textOf, titleOf } from '../values.js';
import { PictureField } from './banner-view.js';
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

/** By flag. A stored 0 means no reference or no limit, so its field is empty. */
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
      value={localText(value, zone)}
      change={(local) => change(timeOf(local, zone))}
    />
  );
}

/** `2026-11-28T09:30` of a time with an offset; empty for none. */
function localText(time: string, zone: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? '' : new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, 16);
}

/** With an offset; empty for none. */
function timeOf(local: string, zone: string): string {
  const shown = Date.parse(`${local}Z`);
  if (Number.isNaN(shown)) return '';
  const near = shown - offsetAt(shown, zone);
  return new Date(shown - offsetAt(near, zone)).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Milliseconds that the clocks are ahead of UTC. */
function offsetAt(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: zone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(ms);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '00';
  const shown = `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}Z`;
  return Date.parse(shown) - Math.floor(ms / 1000) * 1000;
}
