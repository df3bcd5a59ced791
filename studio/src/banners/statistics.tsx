/** What banners brought: by day, by banner, by position and by referrer. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import type { Json, JsonObject } from '../api.js';
import { DataTable, Loaded } from '../data-table.js';
import { ErrorNotice } from '../parts.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { Choice, PositionChoice } from './banner-list.js';
import {
  changeText,
  dayName,
  type FigureName,
  figureColumn,
  figureNames,
  figureText,
  figureTitle,
  nameOf,
  recordOf,
  rowsOf,
  save,
  textOf,
} from './banner-view.js';
import { DayChart } from './chart.js';

interface StatisticsProps {
  /** Ids; empty: all. */
  readonly banner: string;
  readonly position: string;
}

type Options = Readonly<Record<string, Json>>;

export function Statistics({ banner, position }: StatisticsProps) {
  const t = texts.banners;
  const [period, setPeriod] = useState('last_7_days');
  const [limits, setLimits] = useState({ from: '', to: '' });
  const [compare, setCompare] = useState('');
  const [figure, setFigure] = useState<FigureName>('clicks');
  const isOwn = period === 'custom';
  const span = isOwn ? Object.fromEntries(Object.entries(limits).filter(([, day]) => day !== '')) : { period };
  const about: Options = { ...span, ...(banner && { banner }), ...(position && { position }) };
  const found = useRun('banner stats', { options: { ...about, order: figure, top: 20 } });
  const both = useRun(compare === '' ? null : 'banner stats', { options: { ...about, compare } });
  return (
    <>
      <h1>{t.statistics}</h1>
      <div class="asked">
        <Choice label={t.period} value={period} choices={Object.entries(t.periods)} change={setPeriod} />
        {isOwn
          ? (['from', 'to'] as const).map((name) => (
              <label class="check">
                {t[name]}
                <input
                  type="date"
                  value={limits[name]}
                  onInput={({ currentTarget }) => setLimits((before) => ({ ...before, [name]: currentTarget.value }))}
                />
              </label>
            ))
          : null}
        <Choice
          label={t.compare}
          value={compare}
          choices={[
            ['', t.noComparison],
            ['previous', t.before],
            ...Object.entries(t.periods)
              .filter(([name]) => name !== 'custom' && name !== period)
              .map(([name, shown]): [string, string] => [name, t.against(shown)]),
          ]}
          change={setCompare}
        />
        <PositionChoice
          value={position}
          change={(id) => {
            location.hash = placeOf(banner, id);
          }}
        />
      </div>
      {banner === '' ? null : <Subject banner={banner} position={position} />}
      {compare === '' || both.error === null ? null : <ErrorNotice error={both.error} />}
      <Loaded of={found}>
        {({ data, notes }) => (
          <Report
            {...{ banner, position, about, figure, notes }}
            choose={setFigure}
            stats={recordOf(data)}
            comparison={compare === '' ? {} : recordOf(both.result?.data)}
          />
        )}
      </Loaded>
    </>
  );
}

/** The address of the statistics of one banner, one position or both. */
function placeOf(banner: string, position: string): string {
  return linkTo('banners', 'statistics', banner || '0', ...(position === '' ? [] : [position]));
}

function Against({ days }: { readonly days: readonly JsonObject[] }) {
  if (days.length === 0) return null;
  const [first, last] = [days[0], days.at(-1)].map((day) => dayName(textOf(day?.['date'])));
  return <p class="help">{texts.banners.comparedWith(first ?? '', last ?? '')}</p>;
}

interface ReportProps extends StatisticsProps {
  readonly about: Options;
  readonly figure: FigureName;
  readonly choose: (figure: FigureName) => void;
  readonly stats: JsonObject;
  readonly comparison: JsonObject;
  readonly notes: readonly string[];
}

function Report({ banner, position, about, figure, choose, stats, comparison, notes }: ReportProps) {
  const t = texts.banners;
  return (
    <>
      {notes.map((note) => (
        <p class="help">{note}</p>
      ))}
      {banner === '' ? <Best stats={stats} figure={figure} about={about} /> : null}
      <Against days={rowsOf(recordOf(comparison['compare'])['by_day'])} />
      <Tiles
        summary={recordOf(stats['summary'])}
        delta={recordOf(comparison['delta'])}
        chosen={figure}
        choose={choose}
      />
      <DayChart
        figure={figure}
        days={rowsOf(stats['by_day'])}
        compared={rowsOf(recordOf(comparison['compare'])['by_day'])}
        today={textOf(stats['today'])}
      />
      <Csv type="report" label={t.csvDays} options={about} />
      {banner === '' ? (
        <Bars
          label={t.byBanner}
          figure={figure}
          rows={rowsOf(stats['top_ads'])}
          link={(row) => placeOf(textOf(row['id']), position)}
        />
      ) : null}
      <Bars
        label={t.byPosition}
        figure={figure}
        rows={rowsOf(stats['by_position'])}
        link={(row) => placeOf(banner, textOf(row['id']))}
      />
      <Bars label={t.byReferrer} figure="clicks" rows={rowsOf(stats['referrers']).map(referrerRow)} />
      <div class="actions">
        <Csv type="referrers" label={t.csvReferrers} options={about} />
        <Csv type="clicks" label={t.csvClicks} options={about} />
        <Csv type="impressions" label={t.csvImpressions} options={about} />
      </div>
    </>
  );
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
      {t.bestWith(figureText(figure, best[figure]), figureTitle(figure))}
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
          {figureTitle(name)}
          <b>{figureText(name, summary[name])}</b>
          {name in delta ? <span>{changeText(delta[name])}</span> : null}
        </button>
      ))}
    </div>
  );
}

interface BarsProps {
  readonly label: string;
  readonly figure: string;
  readonly rows: readonly JsonObject[];
  readonly link?: (row: JsonObject) => string;
}

/** A table of which one column is drawn. */
function Bars({ label, figure, rows, link }: BarsProps) {
  const t = texts.banners;
  const most = Math.max(...rows.map((row) => Number(row[figure] ?? 0)));
  const others = link === undefined ? [] : figureNames.filter((name) => name !== figure);
  return (
    <section class="block">
      <h2>{label}</h2>
      <DataTable
        label={label}
        columns={[
          {
            name: 'name',
            title: label,
            show: (row) => (link === undefined ? nameOf(row) : <a href={link(row)}>{nameOf(row)}</a>),
          },
          {
            ...{ name: figure, title: figureTitle(figure) },
            show: (row) => (
              <span class="bars">
                <meter min={0} max={most || 1} value={Number(row[figure] ?? 0)} aria-hidden="true" />
                {figureText(figure, row[figure])}
              </span>
            ),
          },
          ...others.map(figureColumn),
        ]}
        rows={rows}
        empty={t.nothingYet}
      />
    </section>
  );
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
      onDone={({ file }) => (file === undefined ? undefined : save(file, `${type}.csv`))}
    />
  );
}
