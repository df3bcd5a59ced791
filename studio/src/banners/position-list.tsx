/** The positions of pages. */
import { CommandDialog } from '../action.js';
import { ListView } from '../list-view.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { textOf } from '../values.js';
import { figureColumn, nameOf } from './banner-view.js';

export function PositionList() {
  const t = texts.banners;
  return (
    <>
      <div class="bar">
        <h1>{t.tabs.positions}</h1>
        <CommandDialog path="position add" kind="primary" />
      </div>
      <p class="help">{t.positionsHelp}</p>
      <ListView
        path="position list"
        label={t.tabs.positions}
        options={{ sort: 'name' }}
        filters={[{ name: 'query', title: texts.find }]}
        columns={[
          {
            name: 'name',
            show: (row) => <a href={linkTo('banners', 'positions', textOf(row['id']))}>{nameOf(row)}</a>,
          },
          { name: 'banners', title: texts.rooms.banners, isNumber: true },
          figureColumn('clicks'),
          figureColumn('impressions'),
          { name: 'context_key', show: (row) => textOf(row['context_key']) || t.everyContext },
        ]}
        empty={t.noPositions}
      />
    </>
  );
}
