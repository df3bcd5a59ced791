/** One delivery: every attempt with its answer, the payload, and sending it again. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import { isObject, type JsonObject } from '../api.js';
import { type Column, DataTable, Loaded, rowsOf } from '../data-table.js';
import { Facts } from '../facts.js';
import { Moment } from '../moment.js';
import { CopyButton, Notice, Scroll } from '../parts.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import type { Receivers } from './deliveries-room.js';
import { DeliveryState } from './delivery-list.js';
import { receiverName } from './receivers.js';
import { WorkerNotice } from './worker-notice.js';

const everyMs = 3000;

export function DeliveryPage({ id, receivers, reload }: Receivers & { readonly id: string }) {
  const reading = useRun('delivery show', { arguments: [id] }, everyMs);
  return (
    <>
      <p>
        <a href={linkTo('deliveries')}>{texts.deliveries.back}</a>
      </p>
      <Loaded of={reading}>
        {({ data }) => {
          if (!isObject(data)) return null;
          const receiver = receivers.find((one) => one['id'] === data['subscription_id']);
          const changed = (): void => {
            reading.reload();
            reload();
          };
          return <Delivery delivery={data} receiver={receiver} changed={changed} />;
        }}
      </Loaded>
    </>
  );
}

interface DeliveryProps {
  readonly delivery: JsonObject;
  readonly receiver: JsonObject | undefined;
  readonly changed: () => void;
}

function Delivery({ delivery, receiver, changed }: DeliveryProps) {
  const words = texts.deliveries;
  const attempts = rowsOf(delivery['attempt_list']);
  const { next_attempt_on: next, done_on: done } = delivery;
  return (
    <>
      <h1>
        {String(delivery['event'])} <DeliveryState delivery={delivery} />
      </h1>
      <WorkerNotice />
      <Again {...{ delivery, receiver, changed }} />
      <Facts
        rows={[
          [
            words.receiver,
            receiver === undefined ? (
              words.gone
            ) : (
              <a href={linkTo('deliveries', 'receiver', String(receiver['id']))}>{receiverName(receiver)}</a>
            ),
          ],
          [words.address, String(delivery['url'])],
          [words.raised, <Moment at={delivery['created_on']} />],
          [words.nextAttempt, next === null ? null : <Moment at={next} />],
          [words.finished, done === null ? null : <Moment at={done} />],
          [words.eventId, String(delivery['event_id'])],
        ]}
      />
      <h2 class="part">{words.attempts}</h2>
      <DataTable label={words.attempts} columns={attemptColumns} rows={attempts} empty={words.noAttempts} />
      {attempts.length > 0 && attempts.every(({ answer }) => answer === null) ? <KeepAnswers /> : null}
      <Payload body={String(delivery['body'])} />
    </>
  );
}

/** Sends it again, or says what stands in the way. */
function Again({ delivery, receiver, changed }: DeliveryProps) {
  const [isQueued, setQueued] = useState(false);
  const words = texts.deliveries;
  if (receiver === undefined) return null;
  if (receiver['active'] !== true) {
    const given = { arguments: [String(receiver['id'])] };
    return (
      <Notice kind="plain">
        <p>{words.receiverOff}</p>
        <CommandButton path="webhook enable" given={given} label={words.enable} onDone={changed} />
      </Notice>
    );
  }
  const isOpen = delivery['status'] === 'pending' || delivery['status'] === 'delivering';
  return (
    <>
      <div class="actions">
        <CommandButton
          path="delivery retry"
          given={{ arguments: [String(delivery['id'])] }}
          label={isOpen ? words.sendNow : words.sendAgain}
          kind="primary"
          disabled={delivery['status'] === 'delivering'}
          onDone={() => {
            setQueued(true);
            changed();
          }}
        />
      </div>
      {isQueued && isOpen ? <Notice kind="good">{words.again}</Notice> : null}
    </>
  );
}

const attemptColumns: readonly Column[] = [
  { name: 'number', title: texts.deliveries.number, isNumber: true },
  { name: 'started_on', title: texts.deliveries.started, show: (row) => <Moment at={row['started_on']} /> },
  { name: 'duration_ms', title: texts.deliveries.took, isNumber: true, show: (row) => `${row['duration_ms']} ms` },
  { name: 'outcome', title: texts.deliveries.outcome, show: outcomeOf },
  {
    name: 'answer',
    title: texts.deliveries.answer,
    show: ({ answer }) => (answer === null ? '' : <pre>{String(answer)}</pre>),
  },
];

function outcomeOf({ outcome, error, status }: JsonObject) {
  const help: Readonly<Record<string, string>> = texts.deliveries.outcomes;
  return (
    <>
      {String(error ?? `HTTP ${status}`)}
      <span class="help address">{help[String(outcome)] ?? ''}</span>
    </>
  );
}

function KeepAnswers() {
  return (
    <Notice kind="plain">
      <p>{texts.deliveries.noAnswers}</p>
      <CommandButton
        path="setting set"
        given={{ arguments: ['gateway_webhook_keep_answers', '1'] }}
        label={texts.deliveries.keepAnswers}
      />
    </Notice>
  );
}

function Payload({ body }: { readonly body: string }) {
  return (
    <>
      <div class="bar part">
        <h2>{texts.deliveries.payload}</h2>
        <CopyButton text={body} />
      </div>
      <Scroll label={texts.deliveries.payload}>
        <pre>{pretty(body)}</pre>
      </Scroll>
    </>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
