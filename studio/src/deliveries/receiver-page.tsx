/** One receiver: why nothing arrives there, and what helps. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from '../action.js';
import type { RunResult } from '../api.js';
import { Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { Facts, Moment, recordOf, State } from '../values.js';
import { DeliveryList } from './delivery-list.js';
import { type Receiver, Replay, receiverName } from './receiver.js';
import { WorkerNotice } from './worker-notice.js';

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
        onDone={() => {
          location.hash = linkTo('deliveries');
        }}
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
