/** Spans of statements and deliveries, put around the store and the client of a traced process. */
import type { Database, Reader, Tx } from '../../src/store/base/database.js';
import type { Store } from '../../src/store/open/open.js';
import type { Traces } from '../../src/traces/traces.js';
import type { Outbound, OutboundRequest } from '../../src/webhooks/client/outbound.js';

/** Replaces methods: what is remembered about a database is found by the object itself. */
export function traceStore({ content, own }: Pick<Store, 'content' | 'own'>, traces: Traces): void {
  for (const database of new Set<Database>([content, own])) {
    for (const reader of new Set<Reader>([database, database.primary])) traceReader(reader, traces);
    const write = database.write.bind(database);
    const attributes = { 'db.system.name': database.dialect, 'db.operation.name': 'transaction' };
    database.write = (work, options) =>
      traces.query('transaction', attributes, () => {
        const traceparent = traces.current();
        return write((tx) => work(traceTx(tx, traces, traceparent)), options);
      });
  }
}

function traceReader(reader: Reader, traces: Traces): void {
  const select = reader.select.bind(reader);
  const query = reader.query.bind(reader);
  reader.select = (statement) => traces.query(...ofText(reader, statement.sql), () => select(statement));
  reader.query = (table, work) => {
    const attributes = { 'db.system.name': reader.dialect, 'db.collection.name': table };
    return traces.query(table, attributes, () => query(table, work));
  };
}

function traceTx(tx: Tx, traces: Traces, traceparent: string | undefined): Tx {
  traceReader(tx, traces);
  const run = tx.run.bind(tx);
  tx.run = (statement) => traces.query(...ofText(tx, statement.sql), () => run(statement));
  return Object.assign(tx, { traceparent });
}

/** Values are never in the text of a statement. */
function ofText({ dialect }: Reader, sql: string): [string, Record<string, string>] {
  const operation = /\w+/.exec(sql)?.[0].toUpperCase() ?? 'SQL';
  return [operation, { 'db.system.name': dialect, 'db.operation.name': operation, 'db.query.text': sql }];
}

export function traceSend(send: Outbound['send'], traces: Traces): Outbound['send'] {
  return (request: OutboundRequest) =>
    traces.outgoing(
      request,
      (headers) => send({ ...request, headers: { ...headers, ...request.headers } }),
      (sent) => {
        if (sent.kind === 'answered') return { status: sent.status };
        return { failure: sent.kind === 'failed' ? sent.reason : sent.kind };
      },
    );
}
