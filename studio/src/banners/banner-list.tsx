/** All banners with their pictures and states, a page at a time, and one of them with its form. */
import { CommandButton } from '../action.js';
import type { Json, JsonObject } from '../api.js';
import { ListView } from '../list-view.js';
import { Picture } from '../pages/pickers.js';
import { Busy } from '../parts.js';
import { linkTo, openMade, useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { actions, Head, Loaded, recordOf, State, textOf } from '../values.js';
import { BannerForm, usePositions, useZone } from './banner-form.js';
import { figureColumn, figureNames, nameOf } from './banner-view.js';

export function BannerList() {
  const t = texts.banners;
  const canAdd = useCommand('banner add') !== undefined;
  return (
    <>
      <Head title={texts.rooms.banners}>
        {canAdd && (
          <a class="button primary" href={linkTo('banners', 'new')}>
            {t.add}
          </a>
        )}
      </Head>
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
          actions((row) => toggle(row, 'small')),
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

function toggle({ active, id }: JsonObject, kind?: 'small') {
  const [path, label] = active === 1 ? ['banner disable', texts.turnOff] : ['banner enable', texts.turnOn];
  return <CommandButton {...{ path, label, kind }} words={[textOf(id)]} />;
}

/** An empty id is that of a new one. */
export function BannerPage({ id }: { readonly id: string }) {
  const stored = useRun(id === '' ? null : 'banner show', { arguments: [id] });
  const zone = useZone();
  const back = [linkTo('banners'), texts.banners.tabs.list] as const;
  const goOn = { onDone: openMade('banners', 'banner') };
  if (zone === '') return <Busy />;
  if (id === '') {
    return (
      <article>
        <Head title={texts.banners.add} back={back} />
        <BannerForm {...{ id, zone, stored: {} }} {...goOn} />
      </article>
    );
  }
  return (
    <Loaded of={stored}>
      {({ data }) => (
        <article>
          <Head title={nameOf(recordOf(data))} back={back}>
            {toggle(recordOf(data))}
            <CommandButton
              path="banner duplicate"
              words={[id]}
              options={{ disabled: true }}
              label={texts.banners.duplicate}
              {...goOn}
            />
            <CommandButton path="banner remove" words={[id]} label={texts.remove} goesTo={linkTo('banners')} />
            <a href={linkTo('banners', 'statistics', id)}>{texts.banners.tabs.statistics}</a>
          </Head>
          <BannerState row={recordOf(data)} />
          <BannerForm {...{ id, zone }} stored={recordOf(data)} />
        </article>
      )}
    </Loaded>
  );
}
