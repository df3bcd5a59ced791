/** Webhooks: which receivers fail and why, what was sent, and sending it again. */
import type { JsonObject } from '../api.js';
import { Loaded, rowsOf } from '../data-table.js';
import type { Route } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { DeliveryList } from './delivery-list.js';
import { DeliveryPage } from './delivery-page.js';
import { ReceiverPage } from './receiver-page.js';
import { AddReceiver, ReceiverTable, Replay } from './receivers.js';
import { WorkerNotice } from './worker-notice.js';

const everyMs = 10_000;

/** Routes: nothing, `receiver ID`, `delivery ID`. */
export function DeliveriesRoom({ route: [kind, id] }: { readonly route: Route }) {
  const reading = useRun('webhook list', {}, everyMs);
  return (
    <Loaded of={reading}>
      {({ data }) => {
        const receivers = rowsOf(data);
        const shown = { receivers, reload: reading.reload };
        if (kind === 'receiver' && id !== undefined) return <ReceiverPage key={id} id={id} {...shown} />;
        if (kind === 'delivery' && id !== undefined) return <DeliveryPage key={id} id={id} {...shown} />;
        return <Overview {...shown} />;
      }}
    </Loaded>
  );
}

export interface Receivers {
  readonly receivers: readonly JsonObject[];
  readonly reload: () => void;
}

function Overview({ receivers, reload }: Receivers) {
  return (
    <>
      <div class="bar">
        <h1>{texts.rooms.deliveries}</h1>
        <div class="actions">
          <Replay reload={reload} />
          <AddReceiver reload={reload} />
        </div>
      </div>
      <WorkerNotice />
      <h2 class="part">{texts.deliveries.receivers}</h2>
      <ReceiverTable receivers={receivers} />
      <h2 class="part">{texts.deliveries.all}</h2>
      <DeliveryList receivers={receivers} />
    </>
  );
}
