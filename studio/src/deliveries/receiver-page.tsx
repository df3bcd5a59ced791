/** One receiver: why nothing arrives there, and what helps. */
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog, SecretNotice } from '../action.js';
import { isObject, type JsonObject, type RunResult } from '../api.js';
import { cellText } from '../data-table.js';
import { Facts } from '../facts.js';
import { Moment } from '../moment.js';
import { Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { secretOf } from '../secret.js';
import { texts } from '../texts.js';
import type { Receivers } from './deliveries-room.js';
import { DeliveryList } from './delivery-list.js';
import { ReceiverState, Replay, receiverName } from './receivers.js';
import { WorkerNotice } from './worker-notice.js';

export function ReceiverPage({ id, receivers, reload }: Receivers & { readonly id: string }) {
  const receiver = receivers.find((one) => String(one['id']) === id);
  return (
    <>
      <p>
        <a href={linkTo('deliveries')}>{texts.deliveries.back}</a>
      </p>
      {receiver === undefined ? (
        <Notice kind="bad">{texts.deliveries.gone}</Notice>
      ) : (
        <>
          <Receiver receiver={receiver} reload={reload} />
          <h2 class="part">{texts.deliveries.itsDeliveries}</h2>
          <DeliveryList receivers={receivers} receiver={id} />
        </>
      )}
    </>
  );
}

interface ReceiverProps {
  readonly receiver: JsonObject;
  readonly reload: () => void;
}

function Receiver({ receiver, reload }: ReceiverProps) {
  const [done, setDone] = useState<RunResult | null>(null);
  const note = (result: RunResult): void => {
    setDone(result);
    reload();
  };
  const { url, events, open, created_on: created, last_day: day, previous_ends_on: overlap } = receiver;
  return (
    <>
      <h1>
        {receiverName(receiver)} <ReceiverState receiver={receiver} />
      </h1>
      <Reason receiver={receiver} />
      <WorkerNotice />
      <Actions receiver={receiver} note={note} reload={reload} />
      {done === null ? null : <Outcome result={done} />}
      <Facts
        rows={[
          [texts.deliveries.address, String(url)],
          [texts.deliveries.events, cellText(events ?? null)],
          [texts.deliveries.waiting, String(open)],
          [texts.deliveries.lastDay, isObject(day) ? texts.deliveries.counts(countsOf(day)) : ''],
          [texts.deliveries.lastSuccess, <Moment at={receiver['last_delivered_on']} />],
          [texts.deliveries.created, <Moment at={created} />],
          [texts.deliveries.oldSecret, overlap === null ? null : <Moment at={overlap} />],
        ]}
      />
    </>
  );
}

function countsOf(day: JsonObject) {
  return {
    delivered: Number(day['delivered']),
    failed: Number(day['failed']),
    cancelled: Number(day['cancelled']),
  };
}

/** In one sentence why nothing arrives. */
function Reason({ receiver }: { readonly receiver: JsonObject }) {
  const { state, failures, last_error: error, disabled_reason: reason } = receiver;
  if (state === 'active') return null;
  return (
    <Notice kind={state === 'failing' ? 'bad' : 'plain'}>
      {state === 'failing' ? (
        <>
          <p>
            <b>{String(error)}</b>
          </p>
          <p>
            {texts.deliveries.failingSince(Number(failures))} <Moment at={receiver['first_failure_on']} />.{' '}
            {receiver['disables_on'] === null ? null : (
              <>
                {texts.deliveries.disables} <Moment at={receiver['disables_on']} />.
              </>
            )}
          </p>
        </>
      ) : (
        <p>
          {String(reason ?? texts.deliveries.off)} {texts.deliveries.offMeans}
        </p>
      )}
    </Notice>
  );
}

interface ActionsProps extends ReceiverProps {
  readonly note: (result: RunResult) => void;
}

function Actions({ receiver, note, reload }: ActionsProps) {
  const id = String(receiver['id']);
  const isOn = receiver['active'] === true;
  const words = texts.deliveries;
  const given = { arguments: [id] };
  return (
    <div class="actions">
      <CommandButton
        path="webhook test"
        given={given}
        label={words.test}
        kind="primary"
        disabled={!isOn}
        onDone={note}
      />
      {isOn ? (
        <Replay receiver={id} reload={reload} />
      ) : (
        <CommandButton path="webhook enable" given={given} label={words.enable} onDone={note} />
      )}
      <CommandDialog
        path="webhook rotate-secret"
        label={words.rotate}
        initial={{ ID: id }}
        hidden={['ID']}
        onDone={note}
      />
      <CommandDialog
        path="webhook update"
        label={words.change}
        initial={{
          ...{ ID: id, url: String(receiver['url']), name: String(receiver['name'] ?? '') },
          events: Array.isArray(receiver['events']) ? receiver['events'].map(String) : [],
        }}
        hidden={['ID']}
        onDone={reload}
      />
      {isOn ? <CommandButton path="webhook disable" given={given} label={words.disable} onDone={reload} /> : null}
      <CommandButton
        path="webhook remove"
        given={given}
        label={texts.remove}
        kind="danger"
        onDone={() => {
          location.hash = linkTo('deliveries');
          reload();
        }}
      />
    </div>
  );
}

/** Of a test or a rotation. */
function Outcome({ result }: { readonly result: RunResult }) {
  const { data } = result;
  const secret = secretOf(result);
  if (secret !== null) return <SecretNotice secret={secret} />;
  if (!isObject(data)) return null;
  if (data['outcome'] === undefined) return <Notice kind="good">{texts.done}</Notice>;
  const isGood = result.exit_code === undefined;
  const status = data['last_status'] === null ? '' : `HTTP ${data['last_status']}`;
  return (
    <Notice kind={isGood ? 'good' : 'bad'}>
      <p>
        {isGood ? texts.deliveries.testArrived : texts.deliveries.testFailed}{' '}
        <b>{String(data['last_error'] ?? status)}</b>{' '}
        <a href={linkTo('deliveries', 'delivery', String(data['id']))}>{texts.deliveries.details}</a>
      </p>
    </Notice>
  );
}
