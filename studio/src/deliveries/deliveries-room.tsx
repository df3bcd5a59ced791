/** Webhooks: which receivers fail and why, what was sent, and sending it again. */
import { CommandDialog } from '../action.js';
import type { Route } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { type Columns, Loaded, rowsOf, Table } from '../values.js';
import { DeliveryList, DeliveryPage, WorkerNotice } from './delivery.js';
import { type Receiver, ReceiverLink, ReceiverPage, Replay, toReceivers } from './receiver.js';

const everyMs = 10_000;

/** Routes: nothing, `receiver ID`, `delivery ID`. */
export function DeliveriesRoom({ route: [kind, id = ''] }: { readonly route: Route }) {
  return (
    <Loaded of={useRun('webhook list', {}, everyMs)}>
      {({ data }) => {
        const receivers = toReceivers(rowsOf(data));
        if (kind === 'receiver') return <ReceiverPage key={id} {...{ id, receivers }} />;
        if (kind === 'delivery') return <DeliveryPage key={id} {...{ id, receivers }} />;
        return <Overview receivers={receivers} />;
      }}
    </Loaded>
  );
}

const columns: Columns = [
  {
    name: 'name',
    show: (row) => (
      <>
        <ReceiverLink receiver={row} />
        {row['name'] === null ? null : <span class="help address">{String(row['url'])}</span>}
      </>
    ),
  },
  ...['state', 'problem', 'delivered', 'failed', 'open', 'last_delivered_on'],
];

function Overview({ receivers }: { readonly receivers: readonly Receiver[] }) {
  const words = texts.deliveries;
  return (
    <>
      <div class="bar">
        <h1>{texts.rooms.deliveries}</h1>
        <div class="actions">
          <Replay receivers={receivers} />
          <CommandDialog path="webhook add" label={words.addReceiver} kind="primary" />
        </div>
      </div>
      <WorkerNotice />
      <h2 class="part">{words.receivers}</h2>
      <Table label={words.receivers} columns={columns} rows={receivers} empty={words.noReceivers} />
      <h2 class="part">{words.all}</h2>
      <DeliveryList receivers={receivers} />
    </>
  );
}
