/** The positions of pages: what one shows now, why not the others, and the order of its banners. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from '../action.js';
import { type JsonObject, useRun } from '../api.js';
import { ListView } from '../list-view.js';
import { PageInput } from '../pages/pickers.js';
import { Button, Notice } from '../parts.js';
import { commandOf, linkTo, withValues } from '../site.js';
import { Sortable } from '../sortable.js';
import { fill, texts } from '../texts.js';
import { Head, textOf, titleOf } from '../values.js';
import { Summary } from './banners.js';
import { figureColumn, nameOf } from './figures.js';
import { ZoneTime } from './zone-times.js';

const t = texts.banners;

export function PositionList() {
  return (
    <ListView
      path="position list"
      label={t.tabs.positions}
      level="h1"
      help={t.positionsHelp}
      beside={<CommandDialog path="position add" kind="primary" />}
      options={{ sort: 'name' }}
      filters={[{ name: 'query', title: texts.find }]}
      columns={[
        { name: 'name', show: nameOf, to: ({ id }) => linkTo('banners', 'positions', textOf(id)) },
        { name: 'banners', title: texts.rooms.banners, isNumber: true },
        figureColumn('clicks'),
        figureColumn('impressions'),
        { name: 'context_key', show: (row) => textOf(row['context_key']) || t.everyContext },
      ]}
      empty={t.noPositions}
    />
  );
}

/** Banners that are read, and so can be moved, at once. */
const most = 200;

export function PositionPage({ id }: { readonly id: string }) {
  const { record: position } = useRun('position show', { arguments: [id] });
  const above = linkTo('banners', 'positions');
  return (
    <>
      <Head level="h1" label={nameOf({ ...position, id })} back={[above, t.tabs.positions]}>
        <CommandDialog path="position update" label={texts.change} words={[id]} stored={position} />
        <CommandButton path="position remove" words={[id]} label={texts.remove} goesTo={above} />
        <a href={withValues(linkTo('banners', 'statistics'), { position: id })}>{t.tabs.statistics}</a>
      </Head>
      <Shown id={id} />
      {commandOf('position link') && (
        <ListView
          path="banner list"
          label={t.link}
          level="h2"
          options={{ position: id, mode: 'exclude', sort: 'name' }}
          filters={[{ name: 'query', title: t.find }]}
          limit={10}
          columns={['name']}
          actions={({ id: banner }) => (
            <CommandButton path="position link" words={[id, textOf(banner)]} label={texts.add} kind="small" />
          )}
        />
      )}
    </>
  );
}

function Shown({ id }: { readonly id: string }) {
  const [asked, setAsked] = useState<JsonObject>({});
  const { result, rows, notice } = useRun('position explain', {
    arguments: [id],
    options: { ...asked, limit: most },
  });
  const shown = rows.filter((row) => row['shown'] === true).length;
  const total = result?.meta?.total ?? 0;
  const of = (name: string) => ({
    value: textOf(asked[name]),
    change: (value: string) => setAsked({ ...asked, [name]: value || null }),
  });
  return (
    <>
      <details>
        <summary>{t.askFor}</summary>
        <PageInput label={t.page} {...of('resource')} />
        <PageInput label={titleOf('product_id')} {...of('product')} />
        <ZoneTime label={t.time} {...of('at')} />
      </details>
      {notice}
      {result && (
        <>
          <p class="lead">{rows.length === 0 ? t.noBannersHere : fill(t.shownNow, shown, rows.length)}</p>
          {total > most && <Notice>{fill(t.onlyFirst, most, total)}</Notice>}
          <BannerOrder key={JSON.stringify(rows.map(({ id: one }) => one ?? null))} position={id} rows={rows} />
        </>
      )}
    </>
  );
}

function BannerOrder({ position, rows }: { readonly position: string; readonly rows: readonly JsonObject[] }) {
  const stored = rows.map((row) => textOf(row['id']));
  const [order, setOrder] = useState<readonly string[]>(stored);
  const canOrder = commandOf('position order') !== undefined;
  const isChanged = order.join() !== stored.join();
  const rowOf = (id: string): JsonObject => rows.find((row) => textOf(row['id']) === id) ?? {};
  return (
    <>
      <Sortable
        label={t.orderOf}
        items={order}
        keyOf={(id) => id}
        labelOf={(id) => nameOf(rowOf(id))}
        change={canOrder ? setOrder : undefined}
      >
        {(id, _at, handle) => {
          const { shown, reason = null, weight } = rowOf(id);
          const state = shown === true ? 'shown' : 'not_shown';
          return (
            <div class="card file">
              {handle}
              <Summary row={{ ...rowOf(id), state, state_reason: reason }} />
              <CommandDialog
                path="position link"
                label={`${titleOf('weight')} ${weight}`}
                words={[position, id]}
                stored={rowOf(id)}
                {...{ kind: 'small', groups: [{ names: ['weight'] }] }}
              />
              <CommandButton path="position unlink" words={[position, id]} label={texts.remove} kind="small" />
            </div>
          );
        }}
      </Sortable>
      {canOrder && rows.length > 1 && <p class="help">{texts.moveHelp}</p>}
      {isChanged && (
        <div class="actions">
          <CommandButton path="position order" words={[position, ...order]} label={t.saveOrder} kind="primary" />
          <Button label={texts.cancel} act={() => setOrder(stored)} />
        </div>
      )}
    </>
  );
}
