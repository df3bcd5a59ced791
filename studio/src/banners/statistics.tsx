/** What banners brought: by day, by banner, by position and by referrer. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import type { Json, JsonObject } from '../api.js';
import { Loaded, rowsOf } from '../data-table.js';
import { type Filter, FilterBar, type FilterField, useFilter } from '../filter-bar.js';
import type { Choices } from '../inputs.js';
import { ErrorNotice } from '../parts.js';
import { saveFile } from '../result-view.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { type Columns, recordOf, Table, textOf } from '../values.js';
import { usePositions } from './banner-form.js';
import { changeText, dayName, type FigureName, figureColumn, figureNames, figureText, nameOf } from './banner-view.js';
import { DayChart } from './chart.js';

interface StatisticsProps {
  /** Ids; empty: all. */
  readonly banner: string;
  readonly position: string;
}

type Options = Readonly<Record<string, Json>>;

const most = 500;

export function Statistics({ banner, position }: StatisticsProps) {
  const own = useFilter();
  const [figure, setFigure] = useState<FigureName>('clicks');
  const { period = 'last_7_days', compare = '', from, to } = own.values;
  const span = period === 'custom' ? { ...(from && { from }), ...(to && { to }) } : { period };
  const subject = { ...(banner && { banner }), ...(position && { position }) };
  const about: Options = { ...span, ...subject };
  const order = { order: figure, top: 20 };
  const found = useRun('banner stats', { options: { ...about, ...order } });
  const both = useRun(compare === '' ? null : 'banner stats', { options: { ...about, compare } });
  const comparison = compare === '' ? {} : recordOf(both.result?.data);
  const { from: first, to: last } = recordOf(recordOf(comparison['compare'])['summary']);
  const earlier = useRun(typeof first === 'string' && typeof last === 'string' ? 'banner stats' : null, {
    options: { from: first ?? null, to: last ?? null, ...subject, order: figure, top: most },
  });
  const filter: Filter = {
    ...{ ...own, values: { ...own.values, ...(position && { position }) } },
    set: (name, value) => {
      if (name === 'position') location.hash = placeOf(banner, value);
      else own.set(name, value);
    },
  };
  return (
    <>
      <h1>{texts.banners.statistics}</h1>
      <FilterBar label={texts.banners.statistics} fields={filterFields(period, usePositions() ?? [])} filter={filter} />
      {banner === '' ? null : <Subject banner={banner} position={position} />}
      {compare === '' || both.error === null ? null : <ErrorNotice error={both.error} />}
      <Loaded of={found}>
        {({ data, notes }) => (
          <Report
            {...{ banner, position, about, figure, notes, comparison }}
            choose={setFigure}
            stats={recordOf(data)}
            earlier={compare === '' ? {} : recordOf(earlier.result?.data)}
          />
        )}
      </Loaded>
    </>
  );
}

function filterFields(period: string, positions: Choices): readonly FilterField[] {
  const t = texts.banners;
  const { last_7_days: unset, ...periods } = t.periods;
  const { custom: _, ...named } = t.periods;
  const against = Object.entries(named).filter(([name]) => name !== period);
  return [
    { name: 'period', title: t.period, unset, choices: Object.entries(periods) },
    ...(period === 'custom'
      ? (['from', 'to'] as const).map((name) => ({ name, title: t[name], type: 'date' as const }))
      : []),
    { name: 'compare', title: t.compare, unset: t.noComparison, choices: [['previous', t.before], ...against] },
    { name: 'position', title: t.position, choices: positions },
  ];
}

/** The address of the statistics of one banner, one position or both. */
function placeOf(banner: string, position: string): string {
  return linkTo('banners', 'statistics', banner || '0', ...(position === '' ? [] : [position]));
}

interface ReportProps extends StatisticsProps {
  readonly about: Options;
  readonly figure: FigureName;
  readonly choose: (figure: FigureName) => void;
  readonly stats: JsonObject;
  /** Both periods; empty: none. */
  readonly comparison: JsonObject;
  /** As `stats`, of the other period. */
  readonly earlier: JsonObject;
  readonly notes: readonly string[];
}

function Report({ banner, position, about, figure, choose, stats, comparison, earlier, notes }: ReportProps) {
  const t = texts.banners;
  const days = rowsOf(stats['by_day']);
  const compared = rowsOf(recordOf(comparison['compare'])['by_day']);
  const bars = (name: string) => ({
    figure,
    rows: rowsOf(stats[name]),
    ...(compared.length > 0 && { earlier: rowsOf(earlier[name]) }),
  });
  return (
    <>
      {notes.map((note) => (
        <p class="help">{note}</p>
      ))}
      <p class="help">
        {spanText(days, t.span)} {spanText(compared, t.comparedWith)}
      </p>
      {banner === '' ? <Best stats={stats} figure={figure} about={about} /> : null}
      <Tiles
        summary={recordOf(stats['summary'])}
        delta={recordOf(comparison['delta'])}
        chosen={figure}
        choose={choose}
      />
      <DayChart {...{ figure, days, compared, today: textOf(stats['today']) }} />
      <Csv type="report" label={t.csvDays} options={about} />
      {banner === '' ? (
        <Bars label={t.byBanner} {...bars('top_ads')} link={(row) => placeOf(textOf(row['id']), position)} />
      ) : null}
      <Bars label={t.byPosition} {...bars('by_position')} link={(row) => placeOf(banner, textOf(row['id']))} />
      <Bars label={t.byReferrer} figure="clicks" rows={rowsOf(stats['referrers']).map(referrerRow)} />
      <div class="actions">
        <Csv type="referrers" label={t.csvReferrers} options={about} />
        <Csv type="clicks" label={t.csvClicks} options={about} />
        <Csv type="impressions" label={t.csvImpressions} options={about} />
      </div>
    </>
  );
}

function spanText(days: readonly JsonObject[], text: (first: string, last: string) => string): string {
  const [first, last] = [days[0], days.at(-1)].map((day) => dayName(textOf(day?.['date'])));
  return days.length === 0 ? '' : text(first ?? '', last ?? '');
}

function referrerRow({ referrer, clicks }: JsonObject): JsonObject {
  return { name: textOf(referrer) || texts.banners.direct, clicks: clicks ?? 0 };
}

/** The banner that is looked at alone. */
function Subject({ banner, position }: StatisticsProps) {
  const { result } = useRun('banner show', { arguments: [banner] });
  return (
    <p class="bar">
      <b>{nameOf({ id: banner, ...recordOf(result?.data) })}</b>
      <span class="choice">
        <a href={linkTo('banners', 'banner', banner)}>{texts.banners.edit}</a>{' '}
        <a href={placeOf('', position)}>{texts.banners.allBanners}</a>
      </span>
    </p>
  );
}

interface BestProps {
  readonly stats: JsonObject;
  readonly figure: FigureName;
  readonly about: Options;
}

/** Which one did best, and where. */
function Best({ stats, figure, about }: BestProps) {
  const t = texts.banners;
  const [best] = rowsOf(stats['top_ads']);
  const id = textOf(best?.['id']);
  const own = useRun(best === undefined ? null : 'banner stats', {
    options: { ...about, banner: id, order: figure, top: 1 },
  });
  if (best === undefined) return <p class="lead">{t.nothingYet}</p>;
  const [place] = rowsOf(recordOf(own.result?.data)['by_position']);
  return (
    <p class="lead">
      {t.best} <a href={linkTo('banners', 'statistics', id)}>{nameOf(best)}</a>{' '}
      {t.bestWith(figureText(figure, best[figure]), t.figures[figure])}
      {place === undefined ? null : ` ${t.bestAt(nameOf(place), figureText(figure, place[figure]))}`}
    </p>
  );
}

interface TilesProps {
  readonly summary: JsonObject;
  readonly delta: JsonObject;
  readonly chosen: FigureName;
  readonly choose: (figure: FigureName) => void;
}

function Tiles({ summary, delta, chosen, choose }: TilesProps) {
  return (
    <div class="figures">
      {figureNames.map((name) => (
        <button type="button" aria-pressed={name === chosen} onClick={() => choose(name)}>
          {texts.banners.figures[name]}
          <b>{figureText(name, summary[name])}</b>
          {name in delta ? <span>{changeText(delta[name])}</span> : null}
        </button>
      ))}
    </div>
  );
}

interface BarsProps {
  readonly label: string;
  readonly figure: FigureName;
  readonly rows: readonly JsonObject[];
  /** Of the period that is compared. */
  readonly earlier?: readonly JsonObject[];
  readonly link?: (row: JsonObject) => string;
}

/** A table of which one column is drawn. */
function Bars({ label, figure, rows, earlier, link }: BarsProps) {
  const t = texts.banners;
  const longest = Math.max(...rows.map((row) => Number(row[figure] ?? 0)));
  const before = ({ id }: JsonObject) => earlier?.find((row) => row['id'] === id)?.[figure] ?? 0;
  const compared: Columns = [
    { name: 'before', title: t.before, isNumber: true, show: (row) => figureText(figure, before(row)) },
    { name: 'change', title: t.changeOf, isNumber: true, show: (row) => changeText(change(row[figure], before(row))) },
  ];
  return (
    <section class="block">
      <h2>{label}</h2>
      <Table
        label={label}
        columns={[
          {
            ...{ name: 'name', title: label },
            show: (row) => (link === undefined ? nameOf(row) : <a href={link(row)}>{nameOf(row)}</a>),
          },
          {
            ...{ name: figure, title: t.figures[figure], isNumber: false },
            show: (row) => (
              <span class="bars">
                <meter min={0} max={longest || 1} value={Number(row[figure] ?? 0)} aria-hidden="true" />
                {figureText(figure, row[figure])}
              </span>
            ),
          },
          ...(earlier === undefined ? [] : compared),
          ...(link === undefined ? [] : figureNames.filter((name) => name !== figure).map(figureColumn)),
        ]}
        rows={rows}
        empty={t.nothingYet}
      />
    </section>
  );
}

/** In per cent. */
function change(now: Json | undefined, before: Json): number | null {
  return Number(before) > 0 ? (100 * (Number(now) - Number(before))) / Number(before) : null;
}

interface CsvProps {
  readonly type: string;
  readonly label: string;
  readonly options: Options;
}

function Csv({ type, label, options }: CsvProps) {
  return (
    <CommandButton
      path="banner stats"
      given={{ options: { ...options, csv: type } }}
      label={label}
      kind="small"
      onDone={({ file }) => (file === undefined ? undefined : saveFile(file, `${type}.csv`))}
    />
  );
}
