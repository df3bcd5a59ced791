/** Deliveries, a page at a time, with filters. */
import type { JsonObject } from '../api.js';
import { Badge } from '../badge.js';
import { type Column, DataTable, Loaded, rowsOf } from '../data-table.js';
import { FilterBar, type FilterField, useFilter } from '../filter-bar.js';
import { Moment } from '../moment.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { receiverName } from './receivers.js';

const limit = 25;
const everyMs = 10_000;

interface DeliveryListProps {
  readonly receivers: readonly JsonObject[];
  /** Only to this one. */
  readonly receiver?: string;
}

export function DeliveryList({ receivers, receiver }: DeliveryListProps) {
  const filter = useFilter();
  const options = useCommand('delivery list')?.options ?? [];
  const events = useCommand('webhook add')?.options.find(({ name }) => name === 'events')?.choices;
  const choicesOf = (name: string) => options.find((one) => one.name === name)?.choices ?? [];
  const given = { ...filter.values, ...(receiver === undefined ? {} : { webhook: receiver }) };
  const reading = useRun('delivery list', { options: { ...given, limit, offset: filter.offset } }, everyMs);
  const names = new Map(receivers.map((one) => [String(one['id']), receiverName(one)]));
  const fields: readonly FilterField[] = [
    { name: 'status', title: texts.deliveries.state, choices: choicesOf('status').map((one) => [one, wordOf(one)]) },
    ...(receiver === undefined ? [{ name: 'webhook', title: texts.deliveries.receiver, choices: [...names] }] : []),
    { name: 'event', title: texts.deliveries.event, proposals: events ?? choicesOf('event') },
  ];
  const shown = receiver === undefined ? columns(names) : columns(names).filter(({ name }) => name !== 'receiver');
  return (
    <>
      <FilterBar label={texts.deliveries.filter} fields={fields} filter={filter} />
      <Loaded of={reading}>
        {({ data, meta }) => (
          <DataTable
            label={texts.deliveries.all}
            columns={shown}
            rows={rowsOf(data)}
            total={meta?.total}
            offset={filter.offset}
            limit={limit}
            turn={filter.turn}
            empty={texts.deliveries.none}
          />
        )}
      </Loaded>
    </>
  );
}

function columns(names: ReadonlyMap<string, string>): readonly Column[] {
  const words = texts.deliveries;
  return [
    {
      name: 'event',
      title: words.event,
      show: (row) => <a href={linkTo('deliveries', 'delivery', String(row['id']))}>{String(row['event'])}</a>,
    },
    { name: 'status', title: words.state, show: (row) => <DeliveryState delivery={row} /> },
    { name: 'receiver', title: words.receiver, show: (row) => receiverOf(row, names) },
    { name: 'attempts', title: words.attempts, isNumber: true },
    { name: 'last_error', title: words.lastAnswer, show: lastAnswer },
    { name: 'created_on', title: words.raised, show: (row) => <Moment at={row['created_on']} /> },
  ];
}

function receiverOf({ subscription_id: id, url }: JsonObject, names: ReadonlyMap<string, string>): string {
  return names.get(String(id)) ?? String(url);
}

function lastAnswer({ last_error: error, last_status: status }: JsonObject): string {
  return String(error ?? (status === null ? '' : `HTTP ${status}`));
}

function wordOf(status: string): string {
  const words: Readonly<Record<string, string>> = texts.deliveries.statuses;
  return words[status] ?? status;
}

export function DeliveryState({ delivery: { status } }: { readonly delivery: JsonObject }) {
  const kind = status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : 'plain';
  return <Badge kind={kind} text={wordOf(String(status))} />;
}
