/** The tabs of Site: its state, what `hcd doctor` finds with fixes as buttons, credentials, settings and the audit log. */
import { CommandButton, CommandDialog } from '../action.js';
import { type JsonObject, recordOf, rowsOf, useRun } from '../api.js';
import { hasWords, ListView } from '../list-view.js';
import { fieldValue } from '../parameter-field.js';
import { Button, Notice } from '../parts.js';
import { commandOf, linkTo } from '../site.js';
import { fill, texts } from '../texts.js';
import { type Column, Facts, Head, State, shown, Table, textOf, titleOf } from '../values.js';

const t = texts.site;

function Rows(table: Parameters<typeof Table>[0]) {
  return table.rows.length === 0 ? null : <Table level="h2" {...table} />;
}

export function StatusTab() {
  const { result, record: status, notice } = useRun('status', {}, 5000);
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
      <Head level="h1" label={t.tabs.status} />
      {notice}
      {servers.length > 0 ? null : (
        <Notice kind="bad">
          {t.noServer} <code>hcd serve</code>
        </Notice>
      )}
      <Rows label={t.servers} columns={['url', 'host', 'started_on', 'rss_bytes']} rows={servers} />
      <Rows label={t.requests} columns={['api', 'on', 'requests', 'errors', 'limited']} rows={requests} />
      <Head level="h2" label={t.work} />
      <Facts
        of={of('outbox')}
        rows={[
          [t.fromMemory, asked === 0 ? null : `${Math.round((100 * Number(hits)) / asked)} %`],
          ...['pending', 'oldest_age_s', 'failing'],
          [titleOf('last_pass_on'), shown('last_pass_on', last)],
        ]}
      />
      <Head level="h2" label={t.database} />
      <Facts
        of={{ ...database, ...of('disk') }}
        rows={[
          [titleOf('server'), `${database['kind'] === 'sqlite' ? 'SQLite' : 'MariaDB'} ${database['version']}`],
          ...['address', 'used_bytes', 'free_bytes'],
        ]}
      />
      <Rows
        label={t.replicas}
        columns={['address', 'replicating', 'lag_s', 'reason']}
        rows={rowsOf(database['replicas'])}
      />
      <Rows
        label={t.ending}
        columns={[
          { name: 'kind', show: ({ kind }) => (kind === 'key' ? t.access.keys : t.access.tokens) },
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
  const { error = [], warning = [], ok = [] } = Object.groupBy(rows, (row) => String(row['state']));
  const bad = [...error, ...warning];
  return (
    <>
      <Head level="h1" label={t.tabs.findings}>
        <Button label={isLoading ? texts.running : t.checkAgain} disabled={isLoading} act={reload} />
      </Head>
      {notice}
      {result && (
        <Notice kind={bad.length === 0 ? 'good' : 'plain'}>
          {fill(t.checked, error.length, warning.length, ok.length)}
        </Notice>
      )}
      <ul class="cards">
        {bad.map(({ check, state, detail, fix, command }) => (
          <li key={`${check} ${detail}`}>
            <State of={String(state)} />
            <p class="prose">{String(detail)}</p>
            {fix === null ? null : (
              <p class="help">
                {t.fix} {String(fix)}
              </p>
            )}
            <Fix command={recordOf(command)} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** At once where nothing is missing, else with a form. */
function Fix({ command: { path: name, arguments: given, options: flags } }: { readonly command: JsonObject }) {
  const path = String(name);
  const words = Array.isArray(given) ? given.map(String) : [];
  const options = recordOf(flags);
  if (path === 'delivery list') {
    return <a href={linkTo('deliveries', 'receiver', String(options['webhook']))}>{t.lookThere}</a>;
  }
  const known = commandOf(path)?.arguments ?? [];
  const isWhole = known.every(({ required }, at) => !required || at < words.length);
  if (isWhole && !Object.values(options).includes(null)) return <CommandButton {...{ path, words, options }} />;
  const set = Object.entries(options).map(([one, value]) => [one, value === true || textOf(value)] as const);
  const initial = Object.fromEntries([...known.map((one, at) => [one.name, words[at] ?? ''] as const), ...set]);
  return <CommandDialog {...{ path, initial }} />;
}

/** Credentials: what their list is called, the group of their commands, what makes one, what makes a new secret. */
const kinds: readonly (readonly [label: string, group: string, make?: string, rotate?: string])[] = [
  [t.access.keys, 'key', 'key create', 'key rotate'],
  [t.access.clients, 'oauth client', 'oauth client add', 'oauth client rotate-secret'],
  [t.access.accessTokens, 'oauth token'],
  [t.access.tokens, 'token', 'token create'],
  [t.access.previews, 'preview', 'resource preview'],
];

export function AccessTab() {
  return (
    <>
      <Head level="h1" label={t.tabs.access} />
      {kinds.map(([label, group, make, rotate]) => (
        <ListView
          path={`${group} list`}
          label={label}
          level="h2"
          empty={texts.noneYet}
          beside={make && <CommandDialog path={make} kind="small" />}
          actions={({ state, token_id, client_id, id }) => {
            if (state === 'revoked' || state === 'expired') return null;
            const of = { words: [String(token_id ?? client_id ?? id)], kind: 'small' } as const;
            return (
              <>
                {rotate && <CommandDialog {...of} path={rotate} label={texts.rotate} />}
                <CommandButton {...of} path={`${group} revoke`} label={t.revoke} />
              </>
            );
          }}
        />
      ))}
    </>
  );
}

const valueColumns = ['value', 'default', 'source'];

export function SettingsTab() {
  return (
    <>
      <ListView
        path="setting list"
        label={t.tabs.settings}
        level="h1"
        filters={[
          { name: 'words', title: texts.find },
          'api',
          { name: 'show', title: t.show, choices: Object.entries(t.shown) },
        ]}
        ask={({ api, show }) => ({ ...(show !== undefined && { [show]: true }), ...(api !== undefined && { api }) })}
        has={({ key, description }, { words = '' }) => hasWords(`${key} ${description ?? ''}`, words)}
        columns={[named('key'), ...valueColumns]}
        actions={changesOf}
      >
        {({ notes }) => notes.map((note) => <Notice kind="bad">{note}</Notice>)}
      </ListView>
      <ListView
        path="config show"
        label={t.configuration}
        level="h2"
        help={t.aboutConfiguration}
        columns={[named('name'), ...valueColumns]}
      />
    </>
  );
}

function named(member: string): Column {
  const show = (row: JsonObject) => <code>{String(row[member])}</code>;
  return { name: 'setting', show, below: ({ description }) => textOf(description) };
}

function changesOf({ key: name, value, type, accepts, description, choices, source }: JsonObject) {
  if (source === 'environment') return null;
  const key = String(name);
  const of = { words: [key], kind: 'small' } as const;
  const offered = type === 'boolean' ? Object.entries(texts.yesNo) : Array.isArray(choices) ? choices.map(String) : [];
  const choice =
    type === 'boolean' || type === 'choice'
      ? ({ kind: 'choice', choices: offered } as const)
      : { accepts: textOf(accepts) };
  return (
    <>
      <CommandDialog
        {...of}
        path="setting set"
        label={texts.change}
        title={key}
        submit={texts.save}
        initial={{ VALUE: String(fieldValue(value)) }}
        groups={[{ names: ['VALUE'] }]}
        known={{ VALUE: { ...choice, label: key, description: textOf(description) } }}
      />
      {source === 'database' && description !== null && <CommandButton {...of} path="setting unset" label={t.reset} />}
    </>
  );
}

export function AuditTab() {
  return (
    <ListView
      path="audit list"
      label={t.tabs.audit}
      level="h1"
      filters={['since', 'identity', 'method', 'status', 'request-id']}
    >
      {({ notes }) =>
        notes.length === 0 ? null : (
          <Notice kind="plain">
            <p>{t.auditOff}</p>
            <CommandButton path="setting set" words={['gateway_audit_enabled', '1']} label={t.auditOn} />
          </Notice>
        )
      }
    </ListView>
  );
}
