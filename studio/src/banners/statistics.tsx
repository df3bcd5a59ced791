/** What banners brought: by day, by banner, by position and by referrer. The address says of which, and when. */
import { CommandButton } from '../action.js';
import { type Json, type JsonObject, recordOf, rowsOf, useRun } from '../api.js';
import type { Choices } from '../inputs.js';
import { FilterBar, type FilterField } from '../list-view.js';
import { Busy } from '../parts.js';
import { saveFile } from '../result-view.js';
import { linkTo, type Route, useRoute, withValues } from '../site.js';
import { fill, texts } from '../texts.js';
import { type Columns, dayName, Head, Table, textOf, titleOf } from '../values.js';
import { usePositions } from './banners.js';
import { changeText, DayChart, type FigureName, figureColumn, figureNames, figureText, nameOf } from './figures.js';

const t = texts.banners;

/** Rows of the other period, among which those of this one are found. */
const most = 500;

export function Statistics() {
  const { values } = useRoute();
  const { banner = '', figure: named, ...filter } = values;
  const addressOf = (next: Route['values']) => withValues(linkTo('banners', 'statistics'), next);
  const addressWith = (next: Route['values']) => addressOf({ ...values, ...next });
  const go = (address: string): void => {
    location.hash = address;
  };
  const figure = figureNames.find((one) => one === named) ?? 'clicks';
  const { period = 'last_7_days', compare = '', from = null, to = null, position = null } = filter;
  const subject = { banner: banner || null, position };
  const about = { ...subject, ...(period === 'custom' ? { from, to } : { period }) };
  const asked = { ...about, order: figure, top: 20 };
  const { result, record: stats, notice, isLoading } = useRun('banner stats', { options: asked });
  const days = rowsOf(stats['by_day']);
  const both = useRun(compare === '' ? null : 'banner stats', { options: { ...about, compare } });
  const { compare: other, delta } = both.record;
  const { from: first = null, to: last = null } = recordOf(recordOf(other)['summary']);
  const earlier = useRun(first === null ? null : 'banner stats', {
    options: { ...subject, from: first, to: last, order: figure, top: most },
  });
  const compared = rowsOf(recordOf(other)['by_day']);
  const bars = (by: 'banner' | 'position', label: string, name: string) => (
    <Bars
      {...{ label, figure, rows: rowsOf(stats[name]) }}
      {...(compared.length > 0 && { earlier: rowsOf(earlier.record[name]) })}
      link={({ id }) => addressWith({ [by]: textOf(id) })}
    />
  );
  const csv = (type: string, label: string) => (
    <CommandButton
      path="banner stats"
      options={{ ...about, csv: type }}
      label={label}
      kind="small"
      onDone={({ file }) => file && saveFile(file, `${type}.csv`)}
    />
  );
  return (
    <>
      <Head level="h1" label={t.tabs.statistics} />
      <FilterBar
        label={t.tabs.statistics}
        fields={filterFields(period, usePositions())}
        values={filter}
        change={(next) => go(addressOf({ banner, figure, ...next }))}
      />
      {banner !== '' && <Subject {...{ banner, all: addressWith({ banner: '' }) }} />}
      {both.notice}
      {notice}
      {result && (
        <>
          <p class="help">{[spanText(days, t.span), spanText(compared, t.comparedWith), ...result.notes].join(' ')}</p>
          {banner === '' && (isLoading ? <Busy /> : <Best {...{ stats, figure, about, addressWith }} />)}
          <div class="figures">
            {figureNames.map((name) => (
              <button type="button" aria-pressed={name === figure} onClick={() => go(addressWith({ figure: name }))}>
                {titleOf(name)}
                <b>{figureText(name, recordOf(stats['summary'])[name])}</b>
                {delta && <span>{changeText(recordOf(delta)[name])}</span>}
              </button>
            ))}
          </div>
          <DayChart {...{ figure, days, compared, today: textOf(stats['today']) }} />
          {csv('report', t.csvDays)}
          {banner === '' && bars('banner', t.byBanner, 'top_ads')}
          {bars('position', t.byPosition, 'by_position')}
          <Bars label={t.byReferrer} figure="clicks" rows={rowsOf(stats['referrers'])} />
          <div class="actions">
            {csv('referrers', t.csvReferrers)}
            {csv('clicks', t.csvClicks)}
            {csv('impressions', t.csvImpressions)}
          </div>
        </>
      )}
    </>
  );
}

function filterFields(period: string, positions: Choices): readonly FilterField[] {
  const { last_7_days: unset, ...periods } = t.periods;
  const against = Object.entries(t.periods).filter(([name]) => name !== period && name !== 'custom');
  const days: readonly FilterField[] = [
    { name: 'from', type: 'date' },
    { name: 'to', type: 'date' },
  ];
  return [
    { name: 'period', title: t.period, unset, choices: Object.entries(periods) },
    ...(period === 'custom' ? days : []),
    { name: 'compare', title: t.compare, unset: t.noComparison, choices: [['previous', t.before], ...against] },
    { name: 'position', choices: positions },
  ];
}

function spanText(days: readonly JsonObject[], text: string): string {
  const [first = '', last = ''] = [days[0], days.at(-1)].map((day) => dayName(textOf(day?.['date']), 'short'));
  return days.length === 0 ? '' : fill(text, first, last);
}

function Subject({ banner, all }: { readonly banner: string; readonly all: string }) {
  const { record } = useRun('banner show', { arguments: [banner] });
  return (
    <Head level="h2" label={nameOf({ id: banner, ...record })}>
      <a href={linkTo('banners', 'banner', banner)}>{texts.change}</a>
      <a href={all}>{t.tabs.list}</a>
    </Head>
  );
}

interface BestProps {
  readonly stats: JsonObject;
  readonly figure: FigureName;
  readonly about: JsonObject;
  readonly addressWith: (values: Route['values']) => string;
}

function Best({ stats, figure, about, addressWith }: BestProps) {
  const [best] = rowsOf(stats['top_ads']);
  const id = textOf(best?.['id']);
  const options = { ...about, banner: id, order: figure, top: 1 };
  const own = useRun(best === undefined ? null : 'banner stats', { options });
  if (best === undefined) return <p class="lead">{t.nothingYet}</p>;
  if (own.isLoading) return <Busy />;
  const [place] = rowsOf(own.record['by_position']);
  return (
    <p class="lead">
      {t.best} <a href={addressWith({ banner: id })}>{nameOf(best)}</a>{' '}
      {fill(t.bestWith, figureText(figure, best[figure]), titleOf(figure))}{' '}
      {place && fill(t.bestAt, nameOf(place), figureText(figure, place[figure]))}
    </p>
  );
}

interface BarsProps {
  readonly label: string;
  readonly figure: FigureName;
  readonly rows: readonly JsonObject[];
  readonly earlier?: readonly JsonObject[];
  /** Referrers have none, and no other figures. */
  readonly link?: (row: JsonObject) => string;
}

/** A table of which one column is drawn. */
function Bars({ label, figure, rows, earlier, link }: BarsProps) {
  const longest = Math.max(...rows.map((row) => Number(row[figure] ?? 0)));
  const before = ({ id }: JsonObject) => earlier?.find((row) => row['id'] === id)?.[figure] ?? 0;
  const name = (row: JsonObject) => (link ? nameOf(row) : textOf(row['referrer']) || t.direct);
  const bar = (row: JsonObject) => (
    <span class="bars">
      <progress aria-hidden="true" max={longest || 1} value={Number(row[figure] ?? 0)} />
      {figureText(figure, row[figure])}
    </span>
  );
  const compared: Columns = [
    { name: 'before', title: t.before, isNumber: true, show: (row) => figureText(figure, before(row)) },
    { name: 'change', title: t.changeOf, isNumber: true, show: (row) => changeText(change(row[figure], before(row))) },
  ];
  const columns = [
    { name: 'name', show: name, to: link },
    { name: figure, isNumber: false, show: bar },
    ...(earlier ? compared : []),
    ...(link ? figureNames.filter((one) => one !== figure).map(figureColumn) : []),
  ];
  return <Table {...{ label, level: 'h2', columns, rows, empty: t.nothingYet }} />;
}

function change(now: Json | undefined, before: Json): number | null {
  return Number(before) > 0 ? (100 * (Number(now) - Number(before))) / Number(before) : null;
}
