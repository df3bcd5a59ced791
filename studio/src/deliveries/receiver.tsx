/** Receivers, failing ones first: why nothing arrives at one, and what helps. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from '../action.js';
import type { JsonObject, RunResult } from '../api.js';
import { Notice } from '../parts.js';
import { linkTo } from '../site.js';
import { texts } from '../texts.js';
import { Facts, Moment, recordOf, State, titleOf } from '../values.js';
import { DeliveryList, WorkerNotice } from './delivery.js';

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

export function ReceiverLink({ receiver }: { readonly receiver: Receiver }) {
  return <a href={linkTo('deliveries', 'receiver', String(receiver['id']))}>{receiverName(receiver)}</a>;
}

interface ReplayProps {
  readonly receivers: readonly Receiver[];
  /** Only to this one. */
  readonly only?: string;
}

/** Sends again what failed or was cancelled since a time. */
export function Replay({ receivers, only }: ReplayProps) {
  const [queued, setQueued] = useState<number | null>(null);
  const words = texts.deliveries;
  const names = new Map(receivers.map((one) => [String(one['id']), receiverName(one)]));
  const since = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  return (
    <>
      <CommandDialog
        path="delivery replay"
        label={words.replay}
        initial={{ since, ...(only !== undefined && { webhook: only }) }}
        hidden={only === undefined ? [] : ['webhook']}
        known={{
          webhook: {
            ...{ title: titleOf('receiver'), kind: 'choice', isOpen: false, choices: [...names] },
          },
        }}
        submit={words.sendAgain}
        onDone={({ data }) => setQueued(Number(recordOf(data)['queued'] ?? 0))}
      />
      {queued === null ? null : <Notice kind="good">{words.queued(queued)}</Notice>}
    </>
  );
}

interface ReceiverPageProps {
  readonly id: string;
  readonly receivers: readonly Receiver[];
}

export function ReceiverPage({ id, receivers }: ReceiverPageProps) {
  const [tested, setTested] = useState<RunResult | null>(null);
  const receiver = receivers.find((one) => String(one['id']) === id);
  const words = texts.deliveries;
  return (
    <>
      <a href={linkTo('deliveries')}>← {words.all}</a>
      {receiver === undefined ? (
        <Notice kind="bad">{words.gone}</Notice>
      ) : (
        <>
          <h1>
            {receiverName(receiver)} <State of={String(receiver['state'])} />
          </h1>
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
      )}
    </>
  );
}

/** In one sentence why nothing arrives. */
function Reason({ receiver }: { readonly receiver: Receiver }) {
  const words = texts.deliveries;
  const { active, state, failures, problem, disables_on: end } = receiver;
  if (active !== true) {
    return (
      <Notice kind="plain">
        {String(problem ?? words.off)} {words.offMeans}
      </Notice>
    );
  }
  if (state !== 'failing') return null;
  return (
    <Notice kind="bad">
      <p>
        <b>{String(problem)}</b>
      </p>
      <p>
        {words.failingSince(Number(failures))} <Moment at={receiver['first_failure_on']} />.{' '}
        {end === null ? null : (
          <>
            {words.disables} <Moment at={end} />.
          </>
        )}
      </p>
    </Notice>
  );
}

interface ActionsProps extends ReceiverPageProps {
  readonly receiver: Receiver;
  readonly setTested: (result: RunResult) => void;
}

function Actions({ id, receiver, receivers, setTested }: ActionsProps) {
  const { active, url, name, events } = receiver;
  const isOn = active === true;
  const words = texts.deliveries;
  const given = { arguments: [id] };
  const own = { initial: { ID: id }, hidden: ['ID'] };
  const before = {
    url: String(url),
    name: String(name ?? ''),
    events: Array.isArray(events) ? events.map(String) : [],
  };
  return (
    <div class="actions">
      <CommandButton path="webhook test" {...{ given }} label={words.test} disabled={!isOn} onDone={setTested} />
      {isOn ? (
        <Replay receivers={receivers} only={id} />
      ) : (
        <CommandButton path="webhook enable" given={given} label={texts.turnOn} />
      )}
      <CommandDialog path="webhook rotate-secret" label={texts.rotate} {...own} />
      <CommandDialog
        path="webhook update"
        label={texts.change}
        {...own}
        initial={{ ...own.initial, ...before }}
        submit={texts.save}
      />
      {isOn ? <CommandButton path="webhook disable" given={given} label={texts.turnOff} /> : null}
      <CommandButton
        path="webhook remove"
        given={given}
        label={texts.remove}
        kind="danger"
        goesTo={linkTo('deliveries')}
      />
    </div>
  );
}

function Tested({ result }: { readonly result: RunResult }) {
  const { id, last_status: status, last_error: error } = recordOf(result.data);
  const isGood = result.exit_code === undefined;
  return (
    <Notice kind={isGood ? 'good' : 'bad'}>
      {isGood ? texts.deliveries.testArrived : texts.deliveries.testFailed}{' '}
      <b>{String(error ?? (status === null ? '' : `HTTP ${status}`))}</b>{' '}
      <a href={linkTo('deliveries', 'delivery', String(id))}>{texts.deliveries.details}</a>
    </Notice>
  );
}
