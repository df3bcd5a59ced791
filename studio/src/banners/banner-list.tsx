/** All banners with their pictures and states, a page at a time, and one of them with its form. */
import { CommandButton } from '../action.js';
import type { Json, JsonObject } from '../api.js';
import { ListView } from '../list-view.js';
import { linkTo, openMade, useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { Loaded, recordOf, State, textOf } from '../values.js';
import { BannerForm, usePositions, useZone } from './banner-form.js';
import { figureColumn, figureNames, nameOf, Picture } from './banner-view.js';

export function BannerList() {
  const t = texts.banners;
  const canAdd = useCommand('banner add') !== undefined;
  return (
    <>
      <div class="bar">
        <h1>{texts.rooms.banners}</h1>
        {canAdd ? (
          <a class="button primary" href={linkTo('banners', 'new')}>
            {t.add}
          </a>
        ) : null}
      </div>
      <ListView
        path="banner list"
        label={texts.rooms.banners}
        limit={25}
        filters={[
          { name: 'query', title: t.find },
          'state',
          { name: 'position', choices: usePositions() },
          { name: 'sort', unset: t.newest, choices: Object.entries(t.orders) },
        ]}
        ask={(asked): Record<string, Json> =>
          asked['sort'] === undefined ? { ...asked, sort: 'id', desc: true } : asked
        }
        columns={[
          { name: 'name', show: (row) => <Summary row={row} /> },
          ...figureNames.map(figureColumn),
          { name: 'actions', show: (row) => <Toggle row={row} kind="small" /> },
        ]}
        empty={t.none}
      />
    </>
  );
}

function Summary({ row }: { readonly row: JsonObject }) {
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

/** With the reason, as the command says it. */
export function BannerState({ row }: { readonly row: JsonObject }) {
  return (
    <div>
      <State of={textOf(row['state'])} /> <span class="help">{textOf(row['state_reason'])}</span>
    </div>
  );
}

export function Toggle({ row, kind }: { readonly row: JsonObject; readonly kind?: 'small' }) {
  const isOn = row['active'] === 1;
  return (
    <CommandButton
      path={isOn ? 'banner disable' : 'banner enable'}
      given={{ arguments: [textOf(row['id'])] }}
      label={isOn ? texts.turnOff : texts.turnOn}
      {...(kind && { kind })}
    />
  );
}

/** An empty id is that of a new one. */
export function BannerPage({ id }: { readonly id: string }) {
  const stored = useRun(id === '' ? null : 'banner show', { arguments: [id] });
  const zone = useZone();
  const of = { arguments: [id] };
  const form = { id, zone, ...(id === '' && { onDone: openMade('banners', 'banner') }) };
  return (
    <article class="banner">
      <a href={linkTo('banners')}>← {texts.banners.tabs.list}</a>
      {id === '' && zone !== '' && (
        <>
          <h1>{texts.banners.add}</h1>
          <BannerForm {...form} stored={{}} />
        </>
      )}
      {id !== '' && zone !== '' && (
        <Loaded of={stored}>
          {({ data }) => (
            <>
              <h1>{nameOf(recordOf(data))}</h1>
              <BannerState row={recordOf(data)} />
              <div class="actions">
                <Toggle row={recordOf(data)} />
                <CommandButton
                  path="banner duplicate"
                  given={{ ...of, options: { disabled: true } }}
                  label={texts.banners.duplicate}
                  onDone={openMade('banners', 'banner')}
                />
                <CommandButton path="banner remove" given={of} label={texts.remove} goesTo={linkTo('banners')} />
                <a href={linkTo('banners', 'statistics', id)}>{texts.banners.tabs.statistics}</a>
              </div>
              <BannerForm {...form} stored={recordOf(data)} />
            </>
          )}
        </Loaded>
      )}
    </article>
  );
}
