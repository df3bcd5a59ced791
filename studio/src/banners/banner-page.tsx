/** One banner: its form, and what else can be done with it. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import type { Json, JsonObject } from '../api.js';
import { Loaded } from '../data-table.js';
import { ErrorNotice, Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { usePerform, useRun } from '../use-run.js';
import { BannerFields, type Draft } from './banner-fields.js';
import { State } from './banner-list.js';
import { nameOf, recordOf, textOf } from './banner-view.js';

/** As a new banner has them, without its name. */
const newBanner: JsonObject = {
  ...{ name: '', type: 'image', url: '', image: '', html: null, description: null, active: 1, start: null, end: null },
  ...{ max_clicks: 0, max_impressions: 0, product_id: 0, category_id: 0, target_resource_id: 0, target_parent_id: 0 },
  ...{ show_hours: null, tags: [], positions: [], current_image: '' },
};

export function BannerPage({ id }: { readonly id: string | null }) {
  const zone = useRun('setting get', { arguments: ['banners_timezone'] });
  const stored = useRun(id === null ? null : 'banner show', { arguments: [id ?? ''] });
  return (
    <Loaded of={zone}>
      {({ data }) => {
        const named = textOf(recordOf(data)['value']);
        if (id === null) return <Editor id={null} stored={newBanner} zone={named} reload={() => undefined} />;
        return (
          <Loaded of={stored}>
            {(result) => <Editor id={id} stored={recordOf(result.data)} zone={named} reload={stored.reload} />}
          </Loaded>
        );
      }}
    </Loaded>
  );
}

interface EditorProps {
  readonly id: string | null;
  readonly stored: JsonObject;
  readonly zone: string;
  readonly reload: () => void;
}

function Editor({ id, stored, zone, reload }: EditorProps) {
  const [draft, setDraft] = useState<Draft>({});
  const [isSaved, setSaved] = useState(false);
  const path = id === null ? 'banner add' : 'banner update';
  const save = usePerform(path, ({ data }) => {
    if (id === null) location.hash = linkTo('banners', 'banner', textOf(recordOf(data)['id']));
    setDraft({});
    setSaved(true);
    reload();
  });
  const canWrite = useCommand(path) !== undefined;
  const fields = save.error?.fields ?? {};
  const isChanged = Object.keys(draft).length > 0;
  return (
    <article class="banner">
      <a href={linkTo('banners')}>← {texts.banners.list}</a>
      <h1>{id === null ? texts.banners.add : nameOf(stored)}</h1>
      {id === null ? null : <Actions id={id} banner={stored} reload={reload} />}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const partial = event.currentTarget.querySelector<HTMLInputElement>('[type="datetime-local"]:invalid');
          if (partial !== null) return partial.focus();
          const options = Object.fromEntries(
            Object.entries(draft).map(([name, value]) => [flagOf(name), given(value)]),
          );
          save.perform({ ...(id === null ? {} : { arguments: [id] }), options });
        }}
      >
        <fieldset class="bare" disabled={!canWrite}>
          <BannerFields
            values={{ ...stored, ...draft }}
            zone={zone}
            address={'image' in draft ? textOf(draft['image']) : textOf(stored['current_image'])}
            problemsOf={(name) => fields[`--${flagOf(name)}`] ?? []}
            change={(name, value) => {
              setSaved(false);
              setDraft((before) => changed({ ...before, [name]: value }, stored));
            }}
          />
        </fieldset>
        {save.error === null ? null : <ErrorNotice error={save.error} />}
        {isSaved && !isChanged ? <Notice kind="good">{texts.banners.saved}</Notice> : null}
        {canWrite ? (
          <div class="actions sticky">
            <button type="submit" class="primary" disabled={save.isRunning || (id !== null && !isChanged)}>
              {id === null ? texts.banners.add : texts.banners.save}
            </button>
          </div>
        ) : null}
      </form>
    </article>
  );
}

/** What is as stored is not sent. */
function changed(draft: Draft, stored: JsonObject): Draft {
  const differs = ([name, value]: [string, Json]) => JSON.stringify(value) !== JSON.stringify(stored[name] ?? null);
  return Object.fromEntries(Object.entries(draft).filter(differs));
}

function flagOf(name: string): string {
  return name.replaceAll('_', '-');
}

/** As flags have it: the text null unsets, and an empty text is the empty list. */
function given(value: Json): Json {
  return value === null ? 'null' : Array.isArray(value) ? value.join(',') : value;
}

interface ActionsProps {
  readonly id: string;
  readonly banner: JsonObject;
  readonly reload: () => void;
}

function Actions({ id, banner, reload }: ActionsProps) {
  const of = { arguments: [id] };
  const isOn = banner['active'] === 1;
  return (
    <>
      <p>
        <State row={banner} />
      </p>
      <div class="actions">
        <CommandButton
          path={isOn ? 'banner disable' : 'banner enable'}
          given={of}
          label={isOn ? texts.banners.turnOff : texts.banners.turnOn}
          onDone={reload}
        />
        <CommandButton
          path="banner duplicate"
          given={{ ...of, options: { disabled: true } }}
          label={texts.banners.duplicate}
          onDone={({ data }) => {
            location.hash = linkTo('banners', 'banner', textOf(recordOf(data)['id']));
          }}
        />
        <CommandButton
          path="banner remove"
          given={of}
          label={texts.remove}
          onDone={() => {
            location.hash = linkTo('banners');
          }}
        />
        <a href={linkTo('banners', 'statistics', id)}>{texts.banners.statistics}</a>
      </div>
    </>
  );
}
