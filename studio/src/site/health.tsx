/** The state of the site as `hcd status` shows it, followed, and what `hcd doctor` finds, with fixes as buttons. */
import { CommandButton, CommandDialog } from '../action.js';
import { type JsonObject, recordOf, rowsOf, useRun } from '../api.js';
import type { FieldValue } from '../parameter-field.js';
import { Button, Notice } from '../parts.js';
import { commandOf, linkTo } from '../site.js';
import { fill, texts } from '../texts.js';
import { type Columns, Facts, Head, State, shown, Table, textOf, titleOf } from '../values.js';

const everyMs = 5000;

interface RowsProps {
  readonly title: string;
  readonly columns: Columns;
  readonly rows: readonly JsonObject[];
}

function Rows({ title, columns, rows }: RowsProps) {
  return rows.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <Table label={title} {...{ columns, rows }} />
    </>
  );
}

export function StatusTab() {
  const words = texts.site;
  const { result, record: status, notice } = useRun('status', {}, everyMs);
  if (result === null) return notice;
  const of = (name: string) => recordOf(status[name]);
  const requests = Object.entries(of('apis')).map(([api, on]) => ({ api, on, ...recordOf(of('requests')[api]) }));
  const { hits, misses } = of('cache');
  const asked = Number(hits) + Number(misses);
  const { last_pass_on: last = null } = of('worker');
  const database = of('database');
  const servers = rowsOf(status['servers']);
  return (
    <>
      <h1>{words.tabs.status}</h1>
      {notice}
      {servers.length > 0 ? null : (
        <Notice kind="bad">
          {words.noServer} <code>hcd serve</code>
        </Notice>
      )}
      <Rows title={words.servers} columns={['url', 'host', 'started_on', 'rss_bytes']} rows={servers} />
      <Rows title={words.requests} columns={['api', 'on', 'requests', 'errors', 'limited']} rows={requests} />
      <h2>{words.work}</h2>
      <Facts
        of={of('outbox')}
        rows={[
          [words.fromMemory, asked === 0 ? null : `${Math.round((100 * Number(hits)) / asked)} %`],
          ...['pending', 'oldest_age_s', 'failing'],
          [titleOf('last_pass_on'), shown('last_pass_on', last)],
        ]}
      />
      <h2>{words.database}</h2>
      <Facts
        of={{ ...database, ...of('disk') }}
        rows={[
          [titleOf('server'), `${database['kind'] === 'sqlite' ? 'SQLite' : 'MariaDB'} ${database['version']}`],
          ...['address', 'used_bytes', 'free_bytes'],
        ]}
      />
      <Rows
        title={words.replicas}
        columns={['address', 'replicating', 'lag_s', 'reason']}
        rows={rowsOf(database['replicas'])}
      />
      <Rows
        title={words.ending}
        columns={[
          { name: 'kind', show: ({ kind }) => (kind === 'key' ? words.access.keys : words.access.tokens) },
          { name: 'name', show: ({ name, id }) => String(name ?? id) },
          'ends_on',
        ]}
        rows={rowsOf(status['keys_ending'])}
      />
    </>
  );
}

export function FindingsTab() {
  const { result, rows, notice, isLoading, reload } = useRun('doctor');
  return (
    <>
      <Head title={texts.site.tabs.findings}>
        <Button label={isLoading ? texts.running : texts.site.checkAgain} disabled={isLoading} act={reload} />
      </Head>
      {notice}
      {result && <Findings rows={rows} />}
    </>
  );
}

function Findings({ rows }: { readonly rows: readonly JsonObject[] }) {
  const found = (state: string) => rows.filter((row) => row['state'] === state);
  const [errors, warnings] = [found('error'), found('warning')];
  const isGood = errors.length + warnings.length === 0;
  return (
    <>
      <Notice kind={isGood ? 'good' : 'plain'}>
        {fill(texts.site.checked, errors.length, warnings.length, found('ok').length)}
      </Notice>
      <ul class="cards">
        {[...errors, ...warnings].map((row) => (
          <li key={`${row['check']} ${row['detail']}`}>
            <State of={String(row['state'])} />
            <p class="prose">{sentence(String(row['detail']))}</p>
            {row['fix'] === null ? null : (
              <p class="help">
                {texts.site.fix} {String(row['fix'])}
              </p>
            )}
            <Fix command={recordOf(row['command'])} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Not of a name such as gateway_enabled. */
function sentence(text: string): string {
  if (!/^[a-z]+ /.test(text)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** At once where nothing is missing, else with a form. */
function Fix({ command: { path: name, arguments: words, options: flags } }: { readonly command: JsonObject }) {
  const path = String(name);
  const view = commandOf(path);
  const given = Array.isArray(words) ? words.map(String) : [];
  const options = recordOf(flags);
  if (path === 'delivery list') {
    return <a href={linkTo('deliveries', 'receiver', String(options['webhook']))}>{texts.site.lookThere}</a>;
  }
  if (view === undefined) return null;
  const isWhole = view.arguments.every(({ required }, at) => !required || at < given.length);
  if (isWhole && !Object.values(options).includes(null)) {
    return <CommandButton path={path} words={given} options={options} />;
  }
  const named = view.arguments.map(({ name: one }, at): [string, FieldValue] => [one, given[at] ?? '']);
  const set = Object.entries(options).map(([one, value]): [string, FieldValue] => [
    one,
    value === true || textOf(value),
  ]);
  return <CommandDialog path={path} initial={Object.fromEntries([...named, ...set])} />;
}
