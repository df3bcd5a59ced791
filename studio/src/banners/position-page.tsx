/** One position: what it shows now, why not the others, and the order of its banners. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from '../action.js';
import { DataTable, Loaded } from '../data-table.js';
import { Field, Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { BannerOrder } from './banner-order.js';
import { nameOf, recordOf, rowsOf, textOf, totalOf } from './banner-view.js';
import { ResourceField } from './resource-field.js';
import { timeOf } from './zone-time.js';

/** Banners that are read, and so can be moved, at once. */
const most = 200;

export function PositionPage({ id }: { readonly id: string }) {
  const t = texts.banners;
  const [asked, setAsked] = useState({ resource: 0, product: 0, at: '' });
  const { resource, product, at } = asked;
  const zone = useRun('setting get', { arguments: ['banners_timezone'] });
  const time = timeOf(at, textOf(recordOf(zone.result?.data)['value']) || 'UTC');
  const page = { ...(resource && { resource }), ...(product && { product }), ...(time !== null && { at: time }) };
  const found = useRun('position explain', { arguments: [id], options: { ...page, limit: most } });
  const about = useRun('position show', { arguments: [id] });
  const position = recordOf(about.result?.data);
  return (
    <>
      <a href={linkTo('banners', 'positions')}>← {t.positions}</a>
      <div class="bar">
        <h1>{nameOf({ ...position, id })}</h1>
        <span class="choice">
          <CommandDialog
            path="position update"
            label={t.rename}
            initial={{ position: id, name: textOf(position['name']) }}
            hidden={['position']}
            onDone={about.reload}
          />
          <CommandButton
            path="position remove"
            given={{ arguments: [id] }}
            label={texts.remove}
            onDone={() => {
              location.hash = linkTo('banners', 'positions');
            }}
          />
          <a href={linkTo('banners', 'statistics', '0', id)}>{t.statistics}</a>
        </span>
      </div>
      <details>
        <summary>{t.askFor}</summary>
        <ResourceField
          label={t.page}
          value={resource}
          problems={[]}
          change={(one) => setAsked({ ...asked, resource: one })}
        />
        <ResourceField
          label={t.fields['product_id'] ?? ''}
          value={product}
          problems={[]}
          change={(one) => setAsked({ ...asked, product: one })}
        />
        <Field id="studio-at" label={t.time} problems={[]}>
          <input
            id="studio-at"
            type="datetime-local"
            value={at}
            onInput={({ currentTarget }) => setAsked({ ...asked, at: currentTarget.value })}
          />
        </Field>
      </details>
      <Loaded of={found}>
        {(result) => {
          const rows = rowsOf(result.data);
          const shown = rows.filter((row) => row['shown'] === true).length;
          return (
            <>
              <p class="lead">{rows.length === 0 ? t.noBannersHere : t.shownNow(shown, rows.length)}</p>
              {totalOf(result) > most ? <Notice kind="plain">{t.onlyFirst(most, totalOf(result))}</Notice> : null}
              <BannerOrder
                key={JSON.stringify(rows.map(({ id: one }) => one ?? null))}
                position={id}
                rows={rows}
                reload={found.reload}
              />
            </>
          );
        }}
      </Loaded>
      <Link position={id} reload={found.reload} />
    </>
  );
}

/** Puts a banner at the position. */
function Link({ position, reload }: { readonly position: string; readonly reload: () => void }) {
  const t = texts.banners;
  const [query, setQuery] = useState('');
  const canLink = useCommand('position link') !== undefined;
  const options = { query, position, mode: 'exclude', sort: 'name', limit: 8 };
  const found = useRun(canLink && query.trim() !== '' ? 'banner list' : null, { options });
  if (!canLink) return null;
  return (
    <section class="block">
      <h2>{t.link}</h2>
      <input
        type="search"
        aria-label={t.find}
        placeholder={t.find}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {query.trim() === '' ? null : (
        <Loaded of={found}>
          {({ data }) => (
            <DataTable
              label={t.link}
              columns={[
                { name: 'name', title: t.banner },
                {
                  ...{ name: 'id', title: t.link },
                  show: (row) => (
                    <CommandButton
                      path="position link"
                      given={{ arguments: [position, textOf(row['id'])] }}
                      label={texts.add}
                      kind="small"
                      onDone={() => {
                        found.reload();
                        reload();
                      }}
                    />
                  ),
                },
              ]}
              rows={rowsOf(data)}
            />
          )}
        </Loaded>
      )}
    </section>
  );
}
