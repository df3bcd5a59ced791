/** What `hcd status` shows, followed. */
import { isObject, type Json, type JsonObject } from '../api.js';
import { Badge } from '../badge.js';
import { DataTable, Loaded, rowsOf } from '../data-table.js';
import { Facts } from '../facts.js';
import { Moment } from '../moment.js';
import { Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';

const everyMs = 5000;
const apis = ['gateway', 'pages', 'banners'] as const;

export function StatusTab() {
  return <Loaded of={useRun('status', {}, everyMs)}>{({ data }) => <Status status={objectOf(data)} />}</Loaded>;
}

function Status({ status }: { readonly status: JsonObject }) {
  const words = texts.site;
  const [on, requests] = [objectOf(status['apis']), objectOf(status['requests'])];
  const rows = apis.map((name) => ({ name, on: on[name] ?? false, ...objectOf(requests[name]) }));
  const { hits, misses } = objectOf(status['cache']);
  const asked = Number(hits) + Number(misses);
  const { pending, oldest_age_s: oldest, failing } = objectOf(status['outbox']);
  const last = objectOf(status['worker'])['last_pass_on'];
  const servers = rowsOf(status['servers']);
  return (
    <>
      <h1>{words.tabs.status}</h1>
      <h2 class="part">{words.servers}</h2>
      {servers.length === 0 ? (
        <Notice kind="bad">
          {words.noServer} <code>hcd serve</code>
        </Notice>
      ) : (
        <DataTable
          label={words.servers}
          rows={servers}
          columns={[
            { name: 'url', title: words.address },
            { name: 'host', title: words.machine },
            { name: 'started_on', title: words.started, show: (row) => <Moment at={row['started_on']} /> },
            { name: 'rss_bytes', title: words.memory, isNumber: true, show: (row) => bytes(row['rss_bytes']) },
          ]}
        />
      )}
      <h2 class="part">{words.requests}</h2>
      <DataTable
        label={words.requests}
        rows={rows}
        columns={[
          { name: 'name', title: words.api },
          {
            name: 'on',
            title: words.state,
            show: (row) => (
              <Badge kind={row.on === true ? 'good' : 'plain'} text={row.on === true ? words.on : words.off} />
            ),
          },
          { name: 'requests', title: words.answered, isNumber: true },
          { name: 'errors', title: words.errors, isNumber: true },
          { name: 'limited', title: words.limited, isNumber: true },
        ]}
      />
      <h2 class="part">{words.work}</h2>
      <Facts
        rows={[
          [words.fromMemory, asked === 0 ? null : `${Math.round((100 * Number(hits)) / asked)} %`],
          [
            words.deliveries,
            <a href={linkTo('deliveries')}>{words.outbox(Number(pending), Number(oldest), Number(failing))}</a>,
          ],
          [words.worker, typeof last === 'string' ? <Moment at={last} /> : words.never],
        ]}
      />
      <h2 class="part">{words.database}</h2>
      <Database database={objectOf(status['database'])} disk={objectOf(status['disk'])} />
      <Ending rows={rowsOf(status['keys_ending'])} />
    </>
  );
}

function Database({ database, disk }: { readonly database: JsonObject; readonly disk: JsonObject }) {
  const words = texts.site;
  const replicas = rowsOf(database['replicas']);
  return (
    <>
      <Facts
        rows={[
          [words.server, `${database['kind'] === 'sqlite' ? 'SQLite' : 'MariaDB'} ${database['version']}`],
          [words.address, String(database['address'])],
          [words.size, disk['used_bytes'] === undefined ? null : bytes(disk['used_bytes'])],
          [words.free, disk['free_bytes'] === undefined ? null : bytes(disk['free_bytes'])],
        ]}
      />
      {replicas.length === 0 ? null : (
        <DataTable
          label={words.replicas}
          rows={replicas}
          columns={[
            { name: 'address', title: words.address },
            {
              name: 'replicating',
              title: words.follows,
              show: (row) => (row['replicating'] === true ? words.on : words.off),
            },
            { name: 'lag_s', title: words.lag, isNumber: true },
            { name: 'reason', title: words.reason },
          ]}
        />
      )}
    </>
  );
}

function Ending({ rows }: { readonly rows: readonly JsonObject[] }) {
  const words = texts.site;
  if (rows.length === 0) return null;
  return (
    <>
      <h2 class="part">{words.ending}</h2>
      <DataTable
        label={words.ending}
        rows={rows}
        columns={[
          {
            name: 'kind',
            title: words.kind,
            show: ({ kind }) => (kind === 'key' ? words.access.keys : words.access.tokens),
          },
          { name: 'name', title: words.name, show: ({ name, id }) => String(name ?? id) },
          { name: 'ends_on', title: words.expires, show: (row) => <Moment at={row['ends_on']} /> },
        ]}
      />
    </>
  );
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function bytes(value: Json | undefined): string {
  const count = Number(value);
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, count)) / 10));
  return `${(count / 1024 ** at).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${units[at]}`;
}
