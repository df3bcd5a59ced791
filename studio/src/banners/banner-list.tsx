/** All banners with their pictures and states, a page at a time, and one of them with its form. */
import { CommandButton, openMade } from '../action.js';
import type { Json, JsonObject } from '../api.js';
import { ListView } from '../list-view.js';
import { Picture } from '../pages/pickers.js';
import { commandOf, linkTo, withValues } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { actions, Head, Loaded, recordOf, State, textOf } from '../values.js';
import { BannerForm, usePositions } from './banner-form.js';
import { figureColumn, figureNames, nameOf } from './banner-view.js';

export function BannerList() {
  const t = texts.banners;
  const canAdd = commandOf('banner add') !== undefined;
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
  const reading = useRun(isNew ? null : 'banner show', { arguments: [id] });
  const t = texts.banners;
  const goOn = { onDone: openMade('banners', 'banner') };
  return (
    <Loaded of={isNew ? null : reading}>
      {({ data }) => {
        const row = recordOf(data);
        return (
          <article>
            <Head title={isNew ? t.add : nameOf(row)} back={[linkTo('banners'), t.tabs.list]}>
              {!isNew && (
                <>
                  {toggle(row)}
                  <CommandButton
                    {...{ path: 'banner duplicate', words: [id], label: t.duplicate, ...goOn }}
                    options={{ disabled: true }}
                  />
                  <CommandButton path="banner remove" words={[id]} label={texts.remove} goesTo={linkTo('banners')} />
                  <a href={withValues(linkTo('banners', 'statistics'), { banner: id })}>{t.tabs.statistics}</a>
                </>
              )}
            </Head>
            {!isNew && <BannerState row={row} />}
            <BannerForm {...{ id, stored: row, ...(isNew && goOn) }} />
          </article>
        );
      }}
    </Loaded>
  );
}
