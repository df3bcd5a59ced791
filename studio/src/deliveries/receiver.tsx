/** Webhooks: which receivers fail and why, and what helps. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from '../action.js';
import type { JsonObject, RunResult } from '../api.js';
import type { Choices } from '../inputs.js';
import { Notice } from '../parts.js';
import { linkTo } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { type Columns, Facts, Head, Loaded, Moment, recordOf, rowsOf, Table, textOf } from '../values.js';
import { DeliveryList, DeliveryPage, lastAnswer, WorkerNotice } from './delivery.js';

const everyMs = 10_000;

/** Routes: nothing, `receiver ID`, `delivery ID`. */
export function DeliveriesRoom({ words: [kind, id = ''] }: { readonly words: readonly string[] }) {
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
    show: receiverName,
    to: receiverAddress,
    below: ({ name, url }) => (name === null ? '' : textOf(url)),
  },
  ...['state', 'problem', 'delivered', 'failed', 'open', 'last_delivered_on'],
];

function Overview({ receivers }: { readonly receivers: readonly Receiver[] }) {
  const words = texts.deliveries;
  return (
    <>
      <Head title={texts.rooms.deliveries}>
        <Replay receivers={receivers} />
        <CommandDialog path="webhook add" label={words.addReceiver} kind="primary" />
      </Head>
      <WorkerNotice />
      <h2 class="part">{words.receivers}</h2>
      <Table label={words.receivers} columns={columns} rows={receivers} empty={words.noReceivers} />
      <h2 class="part">{words.all}</h2>
      <DeliveryList receivers={receivers} />
    </>
  );
}

/** With its `state`, the `problem` that it had, and what became of deliveries in the last day. */
export type Receiver = JsonObject;

/** The worst first: it fails, it was turned off because it failed, it lost deliveries, it works, it is off. */
const urgency = ['failing', 'stopped', 'lossy', 'active', 'inactive'];

export function toReceivers(rows: readonly JsonObject[]): readonly Receiver[] {
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

export function receiverName({ name, url }: Receiver): string {
  return String(name ?? url);
}

export function receiverAddress({ id }: Receiver): string {
  return linkTo('deliveries', 'receiver', String(id));
}

export function namesOf(receivers: readonly Receiver[]): Choices {
  return receivers.map((one) => [String(one['id']), receiverName(one)]);
}

export interface ReceiversProps {
  readonly receivers: readonly Receiver[];
  /** Only to this one. */
  readonly only?: string;
}

/** Sends again what failed or was cancelled since a time. */
export function Replay({ receivers, only }: ReceiversProps) {
  const [queued, setQueued] = useState<number | null>(null);
  const words = texts.deliveries;
  const since = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  return (
    <>
      <CommandDialog
        path="delivery replay"
        label={words.replay}
        initial={{ since }}
        options={only === undefined ? {} : { webhook: only }}
        known={{ webhook: { kind: 'choice', isOpen: false, choices: namesOf(receivers) } }}
        submit={words.sendAgain}
        onDone={({ data }) => setQueued(Number(recordOf(data)['queued'] ?? 0))}
      />
      {queued === null ? null : <Notice kind="good">{words.queued(queued)}</Notice>}
    </>
  );
}

export interface ReceiverPageProps {
  readonly id: string;
  readonly receivers: readonly Receiver[];
}

export function ReceiverPage({ id, receivers }: ReceiverPageProps) {
  const [tested, setTested] = useState<RunResult | null>(null);
  const receiver = receivers.find((one) => String(one['id']) === id);
  const words = texts.deliveries;
  if (receiver === undefined) return <Head title={words.gone} back={[linkTo('deliveries'), words.all]} />;
  return (
    <>
      <Head title={receiverName(receiver)} state={String(receiver['state'])} back={[linkTo('deliveries'), words.all]} />
      <Reason receiver={receiver} />
      <WorkerNotice />
      <Actions {...{ id, receiver, receivers, setTested }} />
      {tested === null ? null : <Tested result={tested} />}
      <Facts
        of={receiver}
        rows={[
          ...['url', 'events', 'open', 'delivered', 'failed', 'cancelled'],
          ...['last_delivered_on', 'created_on', 'previous_ends_on'],
        ]}
      />
      <h2 class="part">{words.all}</h2>
      <DeliveryList receivers={receivers} only={id} />
    </>
  );
}

/** In one sentence why nothing arrives. */
export function Reason({ receiver }: { readonly receiver: Receiver }) {
  const words = texts.deliveries;
  const { active, id, state, failures, problem, first_failure_on: start, disables_on: end } = receiver;
  if (active !== true) {
    return (
      <Notice>
        <p>
          {String(problem ?? words.off)} {words.offMeans}
        </p>
        <CommandButton path="webhook enable" words={[String(id)]} label={texts.turnOn} />
      </Notice>
    );
  }
  if (state !== 'failing') return null;
  return (
    <Notice kind="bad">
      <b>{String(problem)}</b>
      <p>
        {words.failingSince(Number(failures))} <Moment at={start} />.
      </p>
      {end !== null && (
        <p>
          {words.disables} <Moment at={end} />.
        </p>
      )}
    </Notice>
  );
}

interface ActionsProps extends ReceiverPageProps {
  readonly receiver: Receiver;
  readonly setTested: (result: RunResult) => void;
}

function Actions({ id, receiver, receivers, setTested }: ActionsProps) {
  const isOn = receiver['active'] === true;
  const words = texts.deliveries;
  const of = { words: [id] };
  return (
    <div class="actions">
      <CommandButton path="webhook test" {...of} label={words.test} disabled={!isOn} onDone={setTested} />
      {isOn && <Replay receivers={receivers} only={id} />}
      <CommandDialog path="webhook rotate-secret" label={texts.rotate} {...of} />
      <CommandDialog path="webhook update" label={texts.change} {...of} stored={receiver} submit={texts.save} />
      {isOn && <CommandButton path="webhook disable" {...of} label={texts.turnOff} />}
      <CommandButton path="webhook remove" {...of} label={texts.remove} kind="danger" goesTo={linkTo('deliveries')} />
    </div>
  );
}

function Tested({ result }: { readonly result: RunResult }) {
  const delivery = recordOf(result.data);
  const isGood = result.exit_code === undefined;
  return (
    <Notice kind={isGood ? 'good' : 'bad'}>
      {isGood ? texts.deliveries.testArrived : texts.deliveries.testFailed} <b>{lastAnswer(delivery)}</b>{' '}
      <a href={linkTo('deliveries', 'delivery', String(delivery['id']))}>{texts.deliveries.details}</a>
    </Notice>
  );
}
