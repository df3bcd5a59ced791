/** The positions of pages. */
import { useState } from 'preact/hooks';
import { CommandDialog } from '../action.js';
import { DataTable, Loaded } from '../data-table.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { figureColumn, nameOf, rowsOf, textOf, totalOf } from './banner-view.js';

const onPage = 50;

export function PositionList() {
  const t = texts.banners;
  const [{ query, offset }, ask] = useState({ query: '', offset: 0 });
  const options = { ...(query && { query }), sort: 'name', limit: onPage, offset };
  const found = useRun('position list', { options });
  return (
    <>
      <div class="bar">
        <h1>{t.positions}</h1>
        <CommandDialog path="position add" label={t.addPosition} kind="primary" onDone={found.reload} />
      </div>
      <p class="help">{t.positionsHelp}</p>
      <div class="asked">
        <input
          type="search"
          aria-label={t.findPosition}
          placeholder={t.findPosition}
          value={query}
          onInput={({ currentTarget }) => ask({ query: currentTarget.value, offset: 0 })}
        />
      </div>
      <Loaded of={found}>
        {(result) => (
          <DataTable
            label={t.positions}
            columns={[
              {
                ...{ name: 'name', title: t.position },
                show: (row) => <a href={linkTo('banners', 'positions', textOf(row['id']))}>{nameOf(row)}</a>,
              },
              { name: 'banners', title: t.title, isNumber: true },
              figureColumn('clicks'),
              figureColumn('impressions'),
              { name: 'context_key', title: t.context, show: (row) => textOf(row['context_key']) || t.everyContext },
            ]}
            rows={rowsOf(result.data)}
            total={totalOf(result)}
            {...{ offset, limit: onPage }}
            turn={(next) => ask({ query, offset: next })}
            empty={query === '' ? t.noPositions : t.noneFound}
          />
        )}
      </Loaded>
    </>
  );
}
