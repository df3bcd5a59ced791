/** All banners with their pictures and states, a page at a time, and one of them with its form. */
import { CommandButton, openMade } from '../action.js';
import { type Json, type JsonObject, useRun } from '../api.js';
import { CommandForm, type Known, useDraft } from '../command-form.js';
import { type InputProps, TextInput } from '../inputs.js';
import { ListView, useChoices } from '../list-view.js';
import { MediaInput, PageButton, Picture, pageOfSite, useTitles } from '../pages/pickers.js';
import { commandOf, linkTo, withValues } from '../site.js';
import { texts } from '../texts.js';
import { Head, State, textOf } from '../values.js';
import { figureColumn, figureNames, nameOf } from './figures.js';
import { WeekHours, ZoneTime } from './zone-times.js';

const t = texts.banners;

export function BannerList() {
  const add = commandOf('banner add') && (
    <a class="button primary" href={linkTo('banners', 'new')}>
      {t.add}
    </a>
  );
  return (
    <ListView
      path="banner list"
      label={texts.rooms.banners}
      level="h1"
      beside={add}
      limit={25}
      empty={t.none}
      filters={[
        { name: 'query', title: t.find },
        'state',
        { name: 'position', choices: usePositions() },
        { name: 'sort', unset: t.newest, choices: Object.entries(t.orders) },
      ]}
      ask={(asked): Record<string, Json> =>
        asked['sort'] === undefined ? { ...asked, sort: 'id', desc: true } : asked
      }
      columns={[{ name: 'name', show: (row) => <Summary row={row} /> }, ...figureNames.map(figureColumn)]}
      actions={(row) => toggle(row, 'small')}
    />
  );
}

export function Summary({ row }: { readonly row: JsonObject }) {
  return (
    <div class="summary">
      <Picture address={textOf(row['current_image'])} />
      <div>
        <a href={linkTo('banners', 'banner', textOf(row['id']))}>{nameOf(row)}</a>
        <BannerState row={row} />
      </div>
    </div>
  );
}

/** With the reason, as the command says it. What is turned off is so for no other one. */
function BannerState({ row: { state, state_reason: reason } }: { readonly row: JsonObject }) {
  return (
    <div>
      <State of={textOf(state)} /> <span class="help">{state === 'disabled' ? '' : textOf(reason)}</span>
    </div>
  );
}

function toggle({ active, id }: JsonObject, kind?: 'small') {
  const [path, label] = active === 1 ? ['banner disable', texts.turnOff] : ['banner enable', texts.turnOn];
  return <CommandButton {...{ path, label, kind }} words={[textOf(id)]} />;
}

/** An empty id is that of a new one. */
export function BannerPage({ id }: { readonly id: string }) {
  const isNew = id === '';
  const draft = useDraft(`banner ${id}`);
  const positions = usePositions();
  const { result, record: stored, notice } = useRun(isNew ? null : 'banner show', { arguments: [id] });
  if (result === null) return notice;
  const page = { emptied: '0', control: pageOfSite };
  const time: Known[string] = { emptied: 'null', control: (field) => <ZoneTime {...field} /> };
  const picture = ({ value, ...field }: InputProps<string>) => (
    <MediaInput
      {...field}
      value={value}
      address={textOf(value === stored['image'] ? stored['current_image'] : value)}
    />
  );
  const known: Known = {
    name: { required: true },
    type: { kind: 'choice', isOpen: false, choices: Object.entries({ image: texts.writing.picture, html: 'HTML' }) },
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
    <article>
      {notice}
      <Head level="h1" label={isNew ? t.add : nameOf(stored)} back={[linkTo('banners'), t.tabs.list]}>
        {!isNew && (
          <>
            {toggle(stored)}
            <CommandButton
              {...{ path: 'banner duplicate', words: [id], label: t.duplicate, options: { disabled: true } }}
              onDone={openMade('banners', 'banner')}
            />
            <CommandButton path="banner remove" words={[id]} label={texts.remove} goesTo={linkTo('banners')} />
            <a href={withValues(linkTo('banners', 'statistics'), { banner: id })}>{t.tabs.statistics}</a>
          </>
        )}
      </Head>
      {!isNew && <BannerState row={stored} />}
      <CommandForm
        {...{ known, draft, flags: bannerFlags }}
        {...(isNew
          ? {
              path: 'banner add',
              initial: { type: 'image' },
              submit: texts.create,
              onDone: openMade('banners', 'banner'),
            }
          : { path: 'banner update', words: [id], stored })}
        groups={[
          { names: ['name'] },
          { title: t.shown, names: ['type', isHtml ? 'html' : 'image', 'url', 'description'] },
          { title: t.where, names: ['positions'] },
          { title: t.when, names: ['start', 'end'] },
          { title: t.hours, isFolded: !stored['show_hours'], names: ['show-hours'] },
          {
            ...{ title: t.targeting, isFolded: true },
            names: ['target-resource-id', 'target-parent-id', 'product-id', 'category-id', 'tags'],
          },
          { title: t.limits, isFolded: true, names: ['max-clicks', 'max-impressions'] },
        ]}
      />
    </article>
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
