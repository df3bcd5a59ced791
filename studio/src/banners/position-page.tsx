/** One position: what it shows now, why not the others, and the order of its banners. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from '../action.js';
import { Loaded, rowsOf } from '../data-table.js';
import { ListView } from '../list-view.js';
import { PageInput } from '../pages/pickers.js';
import { Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { recordOf, textOf, titleOf } from '../values.js';
import { BannerOrder } from './banner-order.js';
import { nameOf } from './banner-view.js';
import { useZone, ZoneTime } from './zone-time.js';

/** Banners that are read, and so can be moved, at once. */
const most = 200;

export function PositionPage({ id }: { readonly id: string }) {
  const t = texts.banners;
  const { result } = useRun('position show', { arguments: [id] });
  const position = recordOf(result?.data);
  return (
    <>
      <a href={linkTo('banners', 'positions')}>← {t.tabs.positions}</a>
      <div class="bar">
        <h1>{nameOf({ ...position, id })}</h1>
        <span class="choice">
          <CommandDialog
            path="position update"
            label={texts.change}
            initial={{ POSITION: id, name: textOf(position['name']) }}
            hidden={['POSITION']}
            submit={texts.save}
          />
          <CommandButton
            path="position remove"
            given={{ arguments: [id] }}
            label={texts.remove}
            onDone={() => {
              location.hash = linkTo('banners', 'positions');
            }}
          />
          <a href={linkTo('banners', 'statistics', '0', id)}>{t.tabs.statistics}</a>
        </span>
      </div>
      <Shown id={id} />
      <Link position={id} />
    </>
  );
}

function Shown({ id }: { readonly id: string }) {
  const t = texts.banners;
  const [asked, setAsked] = useState({ resource: '', product: '', at: '' });
  const zone = useZone();
  const options = { ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== '')), limit: most };
  const found = useRun('position explain', { arguments: [id], options });
  const of = (name: keyof typeof asked) => ({
    value: asked[name],
    change: (value: string) => setAsked({ ...asked, [name]: value }),
  });
  return (
    <>
      <details>
        <summary>{t.askFor}</summary>
        <PageInput label={t.page} {...of('resource')} />
        <PageInput label={titleOf('product_id')} {...of('product')} />
        <ZoneTime label={t.time} zone={zone || 'UTC'} {...of('at')} />
      </details>
      <Loaded of={found}>
        {({ data, meta }) => {
          const rows = rowsOf(data);
          const shown = rows.filter((row) => row['shown'] === true).length;
          const total = meta?.total ?? 0;
          return (
            <>
              <p class="lead">{rows.length === 0 ? t.noBannersHere : t.shownNow(shown, rows.length)}</p>
              {total > most ? <Notice kind="plain">{t.onlyFirst(most, total)}</Notice> : null}
              <BannerOrder key={JSON.stringify(rows.map(({ id: one }) => one ?? null))} position={id} rows={rows} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Puts a banner at the position. */
function Link({ position }: { readonly position: string }) {
  const t = texts.banners;
  if (useCommand('position link') === undefined) return null;
  return (
    <section class="block">
      <h2>{t.link}</h2>
      <ListView
        path="banner list"
        label={t.link}
        options={{ position, mode: 'exclude', sort: 'name' }}
        filters={[{ name: 'query', title: t.find }]}
        limit={10}
        columns={[
          'name',
          {
            name: 'actions',
            show: (row) => (
              <CommandButton
                path="position link"
                given={{ arguments: [position, textOf(row['id'])] }}
                label={texts.add}
                kind="small"
              />
            ),
          },
        ]}
      />
    </section>
  );
}
