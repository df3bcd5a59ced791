/** What `hcd status` shows, followed. */

import type { JsonObject } from '../api.js';
import { Loaded, rowsOf } from '../data-table.js';
import { Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { type Columns, Facts, Moment, recordOf, Table, titleOf } from '../values.js';

const everyMs = 5000;
const apis = ['gateway', 'pages', 'banners'] as const;

export function StatusTab() {
  return <Loaded of={useRun('status', {}, everyMs)}>{({ data }) => <Status status={recordOf(data)} />}</Loaded>;
}

interface RowsProps {
  readonly title: string;
  readonly columns: Columns;
  readonly rows: readonly JsonObject[];
}

function Rows({ title, columns, rows }: RowsProps) {
  return rows.length === 0 ? null : (
    <>
      <h2 class="part">{title}</h2>
      <Table label={title} {...{ columns, rows }} />
    </>
  );
}

function Status({ status }: { readonly status: JsonObject }) {
  const words = texts.site;
  const of = (name: string) => recordOf(status[name]);
  const requests = apis.map((api) => ({ api, on: of('apis')[api] ?? false, ...recordOf(of('requests')[api]) }));
  const { hits, misses } = of('cache');
  const asked = Number(hits) + Number(misses);
  const { pending, oldest_age_s: oldest, failing } = of('outbox');
  const last = of('worker')['last_pass_on'];
  const database = of('database');
  const servers = rowsOf(status['servers']);
  return (
    <>
      <h1>{words.tabs.status}</h1>
      {servers.length > 0 ? null : (
        <Notice kind="bad">
          {words.noServer} <code>hcd serve</code>
        </Notice>
      )}
      <Rows title={words.servers} columns={['url', 'host', 'started_on', 'rss_bytes']} rows={servers} />
      <Rows title={words.requests} columns={['api', 'on', 'requests', 'errors', 'limited']} rows={requests} />
      <h2 class="part">{words.work}</h2>
      <Facts
        rows={[
          [words.fromMemory, asked === 0 ? null : `${Math.round((100 * Number(hits)) / asked)} %`],
          [
            texts.rooms.deliveries,
            <a href={linkTo('deliveries')}>{words.outbox(Number(pending), Number(oldest), Number(failing))}</a>,
          ],
          [words.worker, typeof last === 'string' ? <Moment at={last} /> : texts.never],
        ]}
      />
      <h2 class="part">{words.database}</h2>
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
