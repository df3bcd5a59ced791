/** The receivers with their health over the last day, failing ones first. */
import { useState } from 'preact/hooks';
import { CommandDialog, SecretNotice } from '../action.js';
import { isObject, type JsonObject, type RunResult } from '../api.js';
import { Badge } from '../badge.js';
import { type Column, DataTable } from '../data-table.js';
import { Moment } from '../moment.js';
import { Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { secretOf } from '../secret.js';
import { texts } from '../texts.js';

export function receiverName({ name, url }: JsonObject): string {
  return String(name ?? url);
}

/** 0 is the worst: it fails, it was turned off because it failed, it lost deliveries, it works, it is off. */
function urgency({ state, disabled_reason: reason, last_day: day }: JsonObject): number {
  if (state === 'failing') return 0;
  if (state === 'inactive') return typeof reason === 'string' && !reason.endsWith('by hand') ? 1 : 4;
  return isObject(day) && Number(day['failed']) > 0 ? 2 : 3;
}

export function ReceiverState({ receiver }: { readonly receiver: JsonObject }) {
  const level = urgency(receiver);
  const words = texts.deliveries.states;
  if (level === 0) return <Badge kind="bad" text={words.failing} />;
  if (level === 1) return <Badge kind="bad" text={words.disabled} />;
  if (level === 2) return <Badge kind="bad" text={words.lossy} />;
  return level === 3 ? <Badge kind="good" text={words.active} /> : <Badge kind="plain" text={words.inactive} />;
}

const columns: readonly Column[] = [
  {
    name: 'name',
    title: texts.deliveries.receiver,
    show: (row) => (
      <>
        <a href={linkTo('deliveries', 'receiver', String(row['id']))}>{receiverName(row)}</a>
        {row['name'] === null ? null : <span class="help address">{String(row['url'])}</span>}
      </>
    ),
  },
  { name: 'state', title: texts.deliveries.state, show: (row) => <ReceiverState receiver={row} /> },
  { name: 'last_error', title: texts.deliveries.problem, show: problemOf },
  ...(['delivered', 'failed'] as const).map((name) => ({
    name,
    title: texts.deliveries.day[name],
    isNumber: true,
    show: ({ last_day: day }: JsonObject) => (isObject(day) ? String(day[name]) : ''),
  })),
  { name: 'open', title: texts.deliveries.waiting, isNumber: true },
  {
    name: 'last_delivered_on',
    title: texts.deliveries.lastSuccess,
    show: (row) => <Moment at={row['last_delivered_on']} />,
  },
];

function problemOf({ state, last_error: error, disabled_reason: reason }: JsonObject): string {
  return String((state === 'inactive' ? reason : error) ?? '');
}

export function ReceiverTable({ receivers }: { readonly receivers: readonly JsonObject[] }) {
  const rows = [...receivers].sort((one, other) => urgency(one) - urgency(other));
  return (
    <DataTable label={texts.deliveries.receivers} columns={columns} rows={rows} empty={texts.deliveries.noReceivers} />
  );
}

interface ReplayProps {
  /** Only to this one. */
  readonly receiver?: string;
  readonly reload: () => void;
}

/** What failed or was cancelled since a time. */
export function Replay({ receiver, reload }: ReplayProps) {
  const [queued, setQueued] = useState<number | null>(null);
  const since = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const done = ({ data }: RunResult): void => {
    setQueued(isObject(data) ? Number(data['queued']) : 0);
    reload();
  };
  return (
    <>
      <CommandDialog
        path="delivery replay"
        label={texts.deliveries.replay}
        initial={{ since, ...(receiver !== undefined && { webhook: receiver }) }}
        hidden={receiver === undefined ? [] : ['webhook']}
        onDone={done}
      />
      {queued === null ? null : <Notice kind="good">{texts.deliveries.queued(queued)}</Notice>}
    </>
  );
}

export function AddReceiver({ reload }: { readonly reload: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const show = (result: RunResult): void => {
    setSecret(secretOf(result));
    reload();
  };
  return (
    <>
      <CommandDialog path="webhook add" label={texts.deliveries.addReceiver} kind="primary" onDone={show} />
      {secret === null ? null : <SecretNotice secret={secret} />}
    </>
  );
}
