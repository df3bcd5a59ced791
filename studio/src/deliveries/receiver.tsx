/** Webhooks: which receivers fail and why, and what helps. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from '../action.js';
import type { JsonObject, RunResult } from '../api.js';
import { Notice } from '../parts.js';
import { linkTo } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { Facts, Head, isoTime, Loaded, Moment, recordOf, rowsOf, Table, textOf } from '../values.js';
import {
  DeliveryList,
  DeliveryPage,
  lastAnswer,
  namesOf,
  Reason,
  type ReceiversProps,
  receiverAddress,
  receiverName,
} from './delivery.js';

const everyMs = 10_000;

/** Routes: nothing, `receiver ID`, `delivery ID`. */
export function DeliveriesRoom({ words: [kind, id = ''] }: { readonly words: readonly string[] }) {
  const Page = kind === 'receiver' ? ReceiverPage : kind === 'delivery' ? DeliveryPage : Overview;
  return (
    <>
      <WorkerNotice />
      <Loaded of={useRun('webhook list', {}, everyMs)}>
        {({ data }) => <Page key={id} {...{ id, receivers: toReceivers(rowsOf(data)) }} />}
      </Loaded>
    </>
  );
}

/** A worker takes what is due within seconds. */
const patienceSeconds = 60;

function WorkerNotice() {
  const { result } = useRun('status', {}, everyMs);
  const { outbox, worker } = recordOf(result?.data);
  const { pending, oldest_age_s: oldest } = recordOf(outbox);
  const last = recordOf(worker)['last_pass_on'];
  if (!(Number(pending) > 0)) return null;
  if (typeof last === 'string' && Number(oldest) < patienceSeconds) return null;
  return (
    <Notice kind="bad">
      <b>{texts.deliveries.noWorker(Number(pending))}</b> {texts.deliveries.lastWorker}:{' '}
      {typeof last === 'string' ? <Moment at={last} /> : texts.never}. {texts.deliveries.startWorker}{' '}
      <code>hcd worker</code>
    </Notice>
  );
}

/** The worst first: it fails, it was turned off because it failed, it lost deliveries, it works, it is off. */
const urgency = ['failing', 'stopped', 'lossy', 'active', 'inactive'];

function toReceivers(rows: readonly JsonObject[]): readonly JsonObject[] {
  const receivers = rows.map((row) => {
    const { state, disabled_reason, last_error } = row;
    const problem = (state === 'inactive' ? disabled_reason : last_error) ?? null;
    return { ...row, ...recordOf(row['last_day']), problem, state: stateOf(row) };
  });
  return receivers.sort((one, other) => urgency.indexOf(one.state) - urgency.indexOf(other.state));
}

function stateOf({ state, disabled_reason: reason, last_day: day }: JsonObject): string {
  if (state === 'inactive') return typeof reason === 'string' && !reason.endsWith('by hand') ? 'stopped' : 'inactive';
  return state === 'active' && Number(recordOf(day)['failed']) > 0 ? 'lossy' : String(state);
}

function Overview({ receivers }: ReceiversProps) {
  const words = texts.deliveries;
  return (
    <>
      <Head title={texts.rooms.deliveries}>
        <Replay receivers={receivers} />
        <CommandDialog path="webhook add" label={words.addReceiver} kind="primary" />
      </Head>
      <h2 class="part">{words.receivers}</h2>
      <Table
        label={words.receivers}
        columns={[
          {
            ...{ name: 'name', show: receiverName, to: receiverAddress },
            below: ({ name, url }) => (name === null ? '' : textOf(url)),
          },
          ...['state', 'problem', 'delivered', 'failed', 'open', 'last_delivered_on'],
        ]}
        rows={receivers}
        empty={words.noReceivers}
      />
      <DeliveryList receivers={receivers} />
    </>
  );
}

function Replay({ receivers, id }: ReceiversProps) {
  const [queued, setQueued] = useState<number | null>(null);
  const words = texts.deliveries;
  const since = isoTime(Date.now() - 86_400_000);
  return (
    <>
      <CommandDialog
        path="delivery replay"
        label={words.replay}
        initial={{ since }}
        options={id === undefined ? {} : { webhook: id }}
        known={{ webhook: { kind: 'choice', isOpen: false, choices: namesOf(receivers) } }}
        submit={words.sendAgain}
        onDone={({ data }) => setQueued(Number(recordOf(data)['queued'] ?? 0))}
      />
      {queued === null ? null : <Notice kind="good">{words.queued(queued)}</Notice>}
    </>
  );
}

function ReceiverPage({ id = '', receivers }: ReceiversProps) {
  const [tested, setTested] = useState<RunResult | null>(null);
  const receiver = receivers.find((one) => String(one['id']) === id);
  const words = texts.deliveries;
  const [above, of] = [linkTo('deliveries'), { words: [id] }];
  if (receiver === undefined) return <Head title={words.gone} back={[above, words.all]} />;
  const isOn = receiver['active'] === true;
  const test = tested && recordOf(tested.data);
  const arrived = tested?.exit_code === undefined;
  return (
    <>
      <Head title={receiverName(receiver)} state={String(receiver['state'])} back={[above, words.all]} />
      <Reason receiver={receiver} />
      <div class="actions">
        <CommandButton path="webhook test" {...of} label={words.test} disabled={!isOn} onDone={setTested} />
        {isOn && <Replay {...{ receivers, id }} />}
        <CommandDialog path="webhook rotate-secret" label={texts.rotate} {...of} />
        <CommandDialog path="webhook update" label={texts.change} {...of} stored={receiver} submit={texts.save} />
        {isOn && <CommandButton path="webhook disable" {...of} label={texts.turnOff} />}
        <CommandButton path="webhook remove" {...of} label={texts.remove} kind="danger" goesTo={above} />
      </div>
      {test && (
        <Notice kind={arrived ? 'good' : 'bad'}>
          {arrived ? words.testArrived : words.testFailed} <b>{lastAnswer(test)}</b>{' '}
          <a href={linkTo('deliveries', 'delivery', String(test['id']))}>{words.details}</a>
        </Notice>
      )}
      <Facts
        of={receiver}
        rows={[
          ...['url', 'events', 'open', 'delivered', 'failed', 'cancelled'],
          ...['last_delivered_on', 'created_on', 'previous_ends_on'],
        ]}
      />
      <DeliveryList {...{ receivers, id }} />
    </>
  );
}
