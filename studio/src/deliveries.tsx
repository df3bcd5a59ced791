/** Webhooks: which receivers fail and why, what helps, and every delivery with its attempts, its answer and the payload. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from './action.js';
import { type JsonObject, type RunResult, recordOf, rowsOf, useRun } from './api.js';
import type { Choices } from './inputs.js';
import { ListView } from './list-view.js';
import { CopyButton, Notice, Scroll } from './parts.js';
import { linkTo } from './site.js';
import { fill, texts } from './texts.js';
import { type Columns, Facts, Head, isoTime, Moment, shown, Table, textOf, titleOf } from './values.js';

const everyMs = 10_000;

export function DeliveriesRoom({ words: [kind, id = ''] }: { readonly words: readonly string[] }) {
  const Page = kind === 'receiver' ? ReceiverPage : kind === 'delivery' ? DeliveryPage : Overview;
  const { result, rows, notice } = useRun('webhook list', {}, everyMs);
  return (
    <>
      <WorkerNotice />
      {notice}
      {result && <Page key={id} {...{ id, receivers: toReceivers(rows) }} />}
    </>
  );
}

/** A worker takes what is due within seconds. */
const patienceSeconds = 60;

function WorkerNotice() {
  const { outbox, worker } = useRun('status', {}, everyMs).record;
  const { pending, oldest_age_s: oldest } = recordOf(outbox);
  const { last_pass_on: last = null } = recordOf(worker);
  if (!(Number(pending) > 0) || (last !== null && Number(oldest) < patienceSeconds)) return null;
  return (
    <Notice kind="bad">
      <b>{fill(texts.deliveries.noWorker, Number(pending))}</b> {titleOf('last_pass_on')}: {shown('last_pass_on', last)}
      . {texts.deliveries.startWorker} <code>hcd worker</code>
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
      <h2>{words.receivers}</h2>
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
      {queued === null ? null : <Notice kind="good">{queued === 0 ? texts.noRows : fill(words.queued, queued)}</Notice>}
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
        <CommandDialog path="webhook update" label={texts.change} {...of} stored={receiver} />
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

interface ReceiversProps {
  /** With a `state`, the `problem` that each had, and what became of its deliveries in the last day. */
  readonly receivers: readonly JsonObject[];
  readonly id?: string;
}

function receiverName({ name, url }: JsonObject): string {
  return String(name ?? url);
}

function receiverAddress({ id }: JsonObject): string {
  return linkTo('deliveries', 'receiver', String(id));
}

function namesOf(receivers: readonly JsonObject[]): Choices {
  return receivers.map((one) => [String(one['id']), receiverName(one)]);
}

/** Of all receivers without an id. */
function DeliveryList({ receivers, id: only }: ReceiversProps) {
  const words = texts.deliveries;
  const names = namesOf(receivers);
  const isOfAll = only === undefined;
  const receiver = {
    name: 'receiver',
    show: ({ subscription_id: id, url }: JsonObject) => new Map(names).get(String(id)) ?? String(url),
  };
  return (
    <>
      <h2>{words.all}</h2>
      <ListView
        path="delivery list"
        label={words.all}
        options={isOfAll ? {} : { webhook: only }}
        limit={25}
        every={10_000}
        filters={['status', ...(isOfAll ? [{ name: 'webhook', choices: names }] : []), 'event']}
        columns={[
          { name: 'event', to: ({ id }) => linkTo('deliveries', 'delivery', String(id)) },
          'status',
          ...(isOfAll ? [receiver] : []),
          'attempts',
          { name: 'last_answer', show: lastAnswer },
          'created_on',
        ]}
        empty={words.none}
      />
    </>
  );
}

function lastAnswer({ last_error: error, last_status: status }: JsonObject): string {
  return String(error ?? (status === null ? '' : `HTTP ${status}`));
}

function DeliveryPage({ id = '', receivers }: ReceiversProps) {
  const words = texts.deliveries;
  const { result, record: delivery, notice } = useRun('delivery show', { arguments: [id] }, 3000);
  if (result === null) return notice;
  const receiver = receivers.find((one) => one['id'] === delivery['subscription_id']);
  const attempts = rowsOf(delivery['attempt_list']).toReversed();
  const body = String(delivery['body']);
  const to = receiver ? <a href={receiverAddress(receiver)}>{receiverName(receiver)}</a> : words.gone;
  return (
    <>
      {notice}
      <Head
        title={String(delivery['event'])}
        state={String(delivery['status'])}
        back={[linkTo('deliveries'), words.all]}
      />
      {receiver && (receiver['active'] === true ? <Again delivery={delivery} /> : <Reason receiver={receiver} />)}
      <Facts
        of={delivery}
        rows={[[titleOf('receiver'), to], 'url', 'created_on', 'next_attempt_on', 'done_on', 'event_id']}
      />
      <h2>{titleOf('attempts')}</h2>
      <Table label={titleOf('attempts')} columns={attemptColumns} rows={attempts} empty={words.noAttempts} />
      {attempts.length > 0 && attempts.every(({ answer }) => answer === null) && (
        <Notice>
          <p>{words.noAnswers}</p>
          <CommandButton
            {...{ path: 'setting set', words: ['gateway_webhook_keep_answers', '1'], label: words.keepAnswers }}
          />
        </Notice>
      )}
      <div class="bar">
        <h2>{words.payload}</h2>
        <CopyButton text={body} />
      </div>
      <Scroll label={words.payload}>
        <pre>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
      </Scroll>
    </>
  );
}

function Again({ delivery: { id, status, next_attempt_on: next } }: { readonly delivery: JsonObject }) {
  const words = texts.deliveries;
  const isOpen = status === 'pending' || status === 'delivering';
  return (
    <div class="actions">
      <CommandButton
        {...{ path: 'delivery retry', words: [String(id)], kind: 'primary', disabled: status === 'delivering' }}
        label={isOpen ? words.sendNow : words.sendAgain}
      />
      {isOpen && Date.parse(String(next)) <= Date.now() && <Notice kind="good">{words.again}</Notice>}
    </div>
  );
}

const attemptColumns: Columns = [
  ...['number', 'started_on', 'duration_ms'],
  {
    name: 'outcome',
    show: ({ error, status }) => String(error ?? `HTTP ${status}`),
    below: ({ outcome }) => texts.deliveries.outcomes[String(outcome)] ?? '',
  },
  { name: 'answer', show: ({ answer }) => (answer === null ? '' : <pre>{String(answer)}</pre>) },
];

function Reason({ receiver }: { readonly receiver: JsonObject }) {
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
        {fill(words.failingSince, Number(failures))} <Moment at={start} />.
      </p>
      {end !== null && (
        <p>
          {words.disables} <Moment at={end} />.
        </p>
      )}
    </Notice>
  );
}
