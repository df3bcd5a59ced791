/** Webhooks: which receivers fail and why, what helps, and every delivery with its attempts, its answer and the payload. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from './action.js';
import { type JsonObject, type RunResult, recordOf, rowsOf, useRun } from './api.js';
import type { Choices } from './inputs.js';
import { ListView } from './list-view.js';
import { CopyButton, Notice } from './parts.js';
import { linkTo } from './site.js';
import { fill, texts } from './texts.js';
import { Facts, Head, isoTime, Scroll, shown, Table, textOf, titleOf } from './values.js';

const t = texts.deliveries;
const everyMs = 10_000;
const home = linkTo('deliveries');
const back = [home, t.all] as const;

interface ReceiversProps {
  /** With a `state`, the `problem` that each had, and what became of its deliveries in the last day. */
  readonly receivers: readonly JsonObject[];
  readonly id?: string;
}

export function DeliveriesRoom({ words: [kind, id = ''] }: { readonly words: readonly string[] }) {
  const Page = kind === 'receiver' ? ReceiverPage : kind === 'delivery' ? DeliveryPage : Overview;
  const { result, rows, notice } = useRun('webhook list', {}, everyMs);
  const placeOf = ({ state }: JsonObject): number => urgency.indexOf(String(state));
  const receivers = rows.map(toReceiver).sort((one, other) => placeOf(one) - placeOf(other));
  return (
    <>
      <WorkerNotice />
      {notice}
      {result && <Page key={id} id={id} receivers={receivers} />}
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
      <b>{fill(t.noWorker, Number(pending))}</b> {titleOf('last_pass_on')}: {shown('last_pass_on', last)}.{' '}
      {t.startWorker} <code>hcd worker</code>
    </Notice>
  );
}

/** The worst first: it fails, failures turned it off, it lost deliveries, it works, no kept delivery reached it, it is off. */
const urgency = ['failing', 'stopped', 'lossy', 'active', 'unused', 'inactive'];

function toReceiver(row: JsonObject): JsonObject {
  const { state, disabled_reason: reason, last_error: error, last_delivered_on: worked } = row;
  const day = recordOf(row['last_day']);
  const usual = state === 'active' && worked === null ? 'unused' : String(state);
  const isStopped = state === 'inactive' && typeof reason === 'string' && !reason.endsWith('by hand');
  const isLossy = state === 'active' && Number(day['failed']) > 0;
  const problem = (state === 'inactive' ? reason : error) ?? null;
  return { ...row, ...day, problem, state: isStopped ? 'stopped' : isLossy ? 'lossy' : usual };
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

function Overview({ receivers }: ReceiversProps) {
  return (
    <>
      <Head level="h1" label={texts.rooms.deliveries}>
        <Replay receivers={receivers} />
        <CommandDialog path="webhook add" label={t.addReceiver} kind="primary" />
      </Head>
      <Table
        label={t.receivers}
        level="h2"
        columns={[
          {
            ...{ name: 'name', show: receiverName, to: receiverAddress },
            below: ({ name, url }) => (name === null ? '' : textOf(url)),
          },
          ...['state', 'problem', 'delivered', 'failed', 'open', 'last_delivered_on'],
        ]}
        rows={receivers}
        empty={t.noReceivers}
      />
      <DeliveryList receivers={receivers} />
    </>
  );
}

function Replay({ receivers, id }: ReceiversProps) {
  const [queued, setQueued] = useState<number | null>(null);
  return (
    <>
      <CommandDialog
        path="delivery replay"
        label={t.replay}
        submit={t.sendAgain}
        initial={{ since: isoTime(Date.now() - 86_400_000) }}
        options={id === undefined ? {} : { webhook: id }}
        known={{ webhook: { kind: 'choice', isOpen: false, choices: namesOf(receivers) } }}
        onDone={({ data }) => setQueued(Number(recordOf(data)['queued'] ?? 0))}
      />
      {queued === null ? null : <Notice kind="good">{queued === 0 ? texts.noRows : fill(t.queued, queued)}</Notice>}
    </>
  );
}

function ReceiverPage({ id = '', receivers }: ReceiversProps) {
  const [tested, setTested] = useState<RunResult | null>(null);
  const receiver = receivers.find((one) => String(one['id']) === id);
  if (receiver === undefined) return <Head level="h1" label={t.gone} back={back} />;
  const of = { words: [id] };
  const isOn = receiver['active'] === true;
  const arrived = tested?.exit_code === undefined;
  return (
    <>
      <Head level="h1" label={receiverName(receiver)} state={String(receiver['state'])} back={back} />
      <Reason receiver={receiver} />
      <div class="actions">
        <CommandButton path="webhook test" {...of} label={t.test} disabled={!isOn} onDone={setTested} />
        {isOn && <Replay {...{ receivers, id }} />}
        <CommandDialog path="webhook rotate-secret" label={texts.rotate} {...of} />
        <CommandDialog path="webhook update" label={texts.change} {...of} stored={receiver} />
        {isOn && <CommandButton path="webhook disable" {...of} label={texts.turnOff} />}
        <CommandButton path="webhook remove" {...of} label={texts.remove} kind="danger" goesTo={home} />
      </div>
      {tested && (
        <Notice kind={arrived ? 'good' : 'bad'}>
          {arrived ? t.testArrived : t.testFailed} <b>{lastAnswer(recordOf(tested.data))}</b>{' '}
          <a href={deliveryAddress(recordOf(tested.data))}>{t.details}</a>
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

function deliveryAddress({ id }: JsonObject): string {
  return linkTo('deliveries', 'delivery', String(id));
}

function lastAnswer({ last_error: error, last_status: status }: JsonObject): string {
  return String(error ?? (status === null ? '' : `HTTP ${status}`));
}

/** Of all receivers without an id. */
function DeliveryList({ receivers, id: only }: ReceiversProps) {
  const choices = namesOf(receivers);
  const names = new Map(choices);
  const isOfAll = only === undefined;
  return (
    <ListView
      path="delivery list"
      label={t.all}
      level="h2"
      limit={25}
      every={everyMs}
      empty={t.none}
      options={isOfAll ? {} : { webhook: only }}
      filters={['status', ...(isOfAll ? [{ name: 'webhook', choices }] : []), 'event']}
      columns={[
        { name: 'event', to: deliveryAddress },
        'status',
        ...(isOfAll
          ? [
              {
                name: 'receiver',
                show: (row: JsonObject) => names.get(String(row['subscription_id'])) ?? String(row['url']),
              },
            ]
          : []),
        'attempts',
        { name: 'last_answer', show: lastAnswer },
        'created_on',
      ]}
    />
  );
}

function DeliveryPage({ id = '', receivers }: ReceiversProps) {
  const { result, record: delivery, notice } = useRun('delivery show', { arguments: [id] }, 3000);
  if (result === null) return notice;
  const receiver = receivers.find((one) => one['id'] === delivery['subscription_id']);
  const attempts = rowsOf(delivery['attempt_list']).toReversed();
  const body = String(delivery['body']);
  const to = receiver ? <a href={receiverAddress(receiver)}>{receiverName(receiver)}</a> : t.gone;
  return (
    <>
      {notice}
      <Head level="h1" label={String(delivery['event'])} state={String(delivery['status'])} back={back} />
      {receiver && (receiver['active'] === true ? <Again delivery={delivery} /> : <Reason receiver={receiver} />)}
      <Facts
        of={delivery}
        rows={[[titleOf('receiver'), to], 'url', 'created_on', 'next_attempt_on', 'done_on', 'event_id']}
      />
      <Table
        label={titleOf('attempts')}
        level="h2"
        rows={attempts}
        empty={t.noAttempts}
        columns={[
          ...['number', 'started_on', 'duration_ms'],
          {
            name: 'outcome',
            show: ({ error, status }) => String(error ?? `HTTP ${status}`),
            below: ({ outcome }) => t.outcomes[String(outcome)] ?? '',
          },
          { name: 'answer', show: ({ answer }) => (answer === null ? '' : <pre>{String(answer)}</pre>) },
        ]}
      />
      {attempts.length > 0 && attempts.every(({ answer }) => answer === null) && (
        <Notice>
          <p>{t.noAnswers}</p>
          <CommandButton path="setting set" words={['gateway_webhook_keep_answers', '1']} label={t.keepAnswers} />
        </Notice>
      )}
      <Scroll level="h2" label={t.payload} beside={<CopyButton text={body} />}>
        <pre>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
      </Scroll>
    </>
  );
}

function Again({ delivery: { id, status, next_attempt_on: next } }: { readonly delivery: JsonObject }) {
  const isOpen = status === 'pending' || status === 'delivering';
  return (
    <div class="actions">
      <CommandButton
        {...{ path: 'delivery retry', words: [String(id)], kind: 'primary', disabled: status === 'delivering' }}
        label={isOpen ? t.sendNow : t.sendAgain}
      />
      {isOpen && Date.parse(String(next)) <= Date.now() && <Notice>{t.again}</Notice>}
    </div>
  );
}

function Reason({ receiver }: { readonly receiver: JsonObject }) {
  const { active, id, state, failures, problem, first_failure_on: start, disables_on: end } = receiver;
  if (active === true && state !== 'failing') return null;
  return active === true ? (
    <Notice kind="bad">
      <b>{String(problem)}</b>
      <p>
        {fill(t.failingSince, Number(failures))} {shown('first_failure_on', start)}.
      </p>
      {end !== null && (
        <p>
          {t.disables} {shown('disables_on', end)}.
        </p>
      )}
    </Notice>
  ) : (
    <Notice>
      <p>
        {String(problem ?? t.off)} {t.offMeans}
      </p>
      <CommandButton path="webhook enable" words={[String(id)]} label={texts.turnOn} />
    </Notice>
  );
}
