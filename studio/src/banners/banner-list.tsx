/** All banners with their pictures and states, a page at a time. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import type { JsonObject } from '../api.js';
import { DataTable, Loaded } from '../data-table.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { figureColumn, figureNames, nameOf, rowsOf, textOf, totalOf } from './banner-view.js';
import { Picture } from './picture.js';

const onPage = 25;
const orders = ['newest', 'name', 'start', 'end'] as const;

export function BannerList() {
  const t = texts.banners;
  const [asked, setAsked] = useState({ query: '', state: '', position: '', order: 'newest', offset: 0 });
  const ask = (change: Partial<typeof asked>): void => setAsked((before) => ({ ...before, offset: 0, ...change }));
  const { query, state, position, order, offset } = asked;
  const sorting = order === 'newest' ? { sort: 'id', desc: true } : { sort: order };
  const filters = Object.entries({ query, state, position }).filter(([, value]) => value !== '');
  const options = { ...Object.fromEntries(filters), ...sorting, limit: onPage, offset };
  const found = useRun('banner list', { options });
  const canAdd = useCommand('banner add') !== undefined;
  return (
    <>
      <div class="bar">
        <h1>{t.title}</h1>
        {canAdd ? (
          <a class="button primary" href={linkTo('banners', 'new')}>
            {t.add}
          </a>
        ) : null}
      </div>
      <div class="asked">
        <input
          type="search"
          aria-label={t.find}
          placeholder={t.find}
          value={query}
          onInput={({ currentTarget }) => ask({ query: currentTarget.value })}
        />
        <Choice
          label={t.state}
          value={state}
          choices={[['', t.anyState], ...Object.entries(t.states)]}
          change={(value) => ask({ state: value })}
        />
        <PositionChoice value={position} change={(value) => ask({ position: value })} />
        <Choice
          label={t.order}
          value={order}
          choices={orders.map((name): [string, string] => [name, t.orders[name]])}
          change={(value) => ask({ order: value })}
        />
      </div>
      <Loaded of={found}>
        {(result) => (
          <DataTable
            label={t.title}
            columns={[
              { name: 'name', title: t.banner, show: (row) => <Summary row={row} /> },
              ...figureNames.map(figureColumn),
              { name: 'active', title: t.onOff, show: (row) => <Switch row={row} reload={found.reload} /> },
            ]}
            rows={rowsOf(result.data).map((row) => ({ ...row, ctr: rateOf(row) }))}
            total={totalOf(result)}
            offset={offset}
            limit={onPage}
            turn={(next) => ask({ offset: next })}
            empty={filters.length > 0 ? t.noneFound : t.none}
          />
        )}
      </Loaded>
    </>
  );
}

function rateOf({ clicks, impressions }: JsonObject): number | null {
  return Number(impressions) > 0 ? (100 * Number(clicks)) / Number(impressions) : null;
}

function Summary({ row }: { readonly row: JsonObject }) {
  return (
    <div class="summary">
      <Picture address={textOf(row['current_image'])} />
      <div>
        <a href={linkTo('banners', 'banner', textOf(row['id']))}>{nameOf(row)}</a>
        <br />
        <State row={row} />
      </div>
    </div>
  );
}

/** As the command says it. */
export function State({ row }: { readonly row: JsonObject }) {
  const state = textOf(row['state']);
  return (
    <>
      <span class={state === 'running' ? 'state good' : 'state'}>{texts.banners.states[state] ?? state}</span>{' '}
      <span class="help">{textOf(row['state_reason'])}</span>
    </>
  );
}

function Switch({ row, reload }: { readonly row: JsonObject; readonly reload: () => void }) {
  const isOn = row['active'] === 1;
  return (
    <CommandButton
      path={isOn ? 'banner disable' : 'banner enable'}
      given={{ arguments: [textOf(row['id'])] }}
      label={isOn ? texts.banners.turnOff : texts.banners.turnOn}
      kind="small"
      onDone={reload}
    />
  );
}

export function PositionChoice({ value, change }: Pick<ChoiceProps, 'value' | 'change'>) {
  const { result } = useRun('position list', { options: { sort: 'name', limit: 500 } });
  const rows = rowsOf(result?.data).map((row) => [textOf(row['id']), textOf(row['name'])] as const);
  return (
    <Choice
      label={texts.banners.position}
      value={value}
      choices={[['', texts.banners.anyPosition], ...rows]}
      change={change}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, shown: string])[];
  readonly change: (value: string) => void;
}

export function Choice({ label, value, choices, change }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
      {choices.map(([one, shown]) => (
        <option value={one}>{shown}</option>
      ))}
    </select>
  );
}
