/** Deliveries, a page at a time, with filters. */
import type { JsonObject } from '../api.js';
import { ListView } from '../list-view.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { titleOf } from '../values.js';
import { type Receiver, receiverName } from './receiver.js';

const everyMs = 10_000;

interface DeliveryListProps {
  readonly receivers: readonly Receiver[];
  /** Only to this one. */
  readonly only?: string;
}

export function DeliveryList({ receivers, only }: DeliveryListProps) {
  const words = texts.deliveries;
  const names = new Map(receivers.map((one) => [String(one['id']), receiverName(one)]));
  const isOf = only === undefined;
  const receiver = {
    name: 'receiver',
    show: ({ subscription_id: id, url }: JsonObject) => names.get(String(id)) ?? String(url),
  };
  const link = (row: JsonObject) => (
    <a href={linkTo('deliveries', 'delivery', String(row['id']))}>{String(row['event'])}</a>
  );
  return (
    <ListView
      path="delivery list"
      label={words.all}
      options={isOf ? {} : { webhook: only }}
      limit={25}
      every={everyMs}
      filters={[
        'status',
        ...(isOf ? [{ name: 'webhook', title: titleOf('receiver'), choices: [...names] }] : []),
        'event',
      ]}
      columns={[
        { name: 'event', show: link },
        'status',
        ...(isOf ? [receiver] : []),
        'attempts',
        { name: 'last_answer', show: lastAnswer },
        'created_on',
      ]}
      empty={words.none}
    />
  );
}

function lastAnswer({ last_error: error, last_status: status }: JsonObject): string {
  return String(error ?? (status === null ? '' : `HTTP ${status}`));
}
