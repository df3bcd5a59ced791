/** Deliveries: a list with filters, and one with every attempt, its answer and the payload. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import type { JsonObject } from '../api.js';
import { ListView } from '../list-view.js';
import { CopyButton, Notice, Scroll } from '../parts.js';
import { linkTo } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { type Columns, Facts, Head, Loaded, Moment, recordOf, rowsOf, Table, titleOf } from '../values.js';
import {
  namesOf,
  Reason,
  type Receiver,
  type ReceiverPageProps,
  type ReceiversProps,
  receiverAddress,
  receiverName,
} from './receiver.js';

const everyMs = 10_000;

export function DeliveryList({ receivers, only }: ReceiversProps) {
  const words = texts.deliveries;
  const names = namesOf(receivers);
  const isOf = only === undefined;
  const receiver = {
    name: 'receiver',
    show: ({ subscription_id: id, url }: JsonObject) => new Map(names).get(String(id)) ?? String(url),
  };
  return (
    <ListView
      path="delivery list"
      label={words.all}
      options={isOf ? {} : { webhook: only }}
      limit={25}
      every={everyMs}
      filters={['status', ...(isOf ? [{ name: 'webhook', choices: names }] : []), 'event']}
      columns={[
        { name: 'event', to: ({ id }) => linkTo('deliveries', 'delivery', String(id)) },
        'status',
        ...(isOf ? [receiver] : []),
        'attempts',
        { name: 'last_answer', show: lastAnswer },
        'created_on',
      ]}
      empty={words.none}
    />
  );
}

export function lastAnswer({ last_error: error, last_status: status }: JsonObject): string {
  return String(error ?? (status === null ? '' : `HTTP ${status}`));
}

const soonMs = 3000;

export function DeliveryPage({ id, receivers }: ReceiverPageProps) {
  const words = texts.deliveries;
  const keepAnswers = ['gateway_webhook_keep_answers', '1'];
  return (
    <Loaded of={useRun('delivery show', { arguments: [id] }, soonMs)}>
      {({ data }) => {
        const delivery = recordOf(data);
        const receiver = receivers.find((one) => one['id'] === delivery['subscription_id']);
        const attempts = rowsOf(delivery['attempt_list']).toReversed();
        const body = String(delivery['body']);
        return (
          <>
            <Head
              title={String(delivery['event'])}
              state={String(delivery['status'])}
              back={[linkTo('deliveries'), words.all]}
            />
            <WorkerNotice />
            {receiver && <Again {...{ delivery, receiver }} />}
            <Facts
              of={delivery}
              rows={[
                [
                  titleOf('receiver'),
                  receiver ? <a href={receiverAddress(receiver)}>{receiverName(receiver)}</a> : words.gone,
                ],
                ...['url', 'created_on', 'next_attempt_on', 'done_on', 'event_id'],
              ]}
            />
            <h2 class="part">{titleOf('attempts')}</h2>
            <Table label={titleOf('attempts')} columns={attemptColumns} rows={attempts} empty={words.noAttempts} />
            {attempts.length > 0 && attempts.every(({ answer }) => answer === null) && (
              <Notice>
                <p>{words.noAnswers}</p>
                <CommandButton path="setting set" words={keepAnswers} label={words.keepAnswers} />
              </Notice>
            )}
            <div class="bar part">
              <h2>{words.payload}</h2>
              <CopyButton text={body} />
            </div>
            <Scroll label={words.payload}>
              <pre>{pretty(body)}</pre>
            </Scroll>
          </>
        );
      }}
    </Loaded>
  );
}

/** Sends it again; a receiver that is off says so. */
function Again({ delivery, receiver }: { readonly delivery: JsonObject; readonly receiver: Receiver }) {
  const [queuedAt, setQueuedAt] = useState<number | null>(null);
  const words = texts.deliveries;
  if (receiver['active'] !== true) return <Reason receiver={receiver} />;
  const { id, status } = delivery;
  const isOpen = status === 'pending' || status === 'delivering';
  const tried = rowsOf(delivery['attempt_list']).length;
  return (
    <div class="actions">
      <CommandButton
        {...{ path: 'delivery retry', words: [String(id)], kind: 'primary' }}
        label={isOpen ? words.sendNow : words.sendAgain}
        disabled={status === 'delivering'}
        onDone={() => setQueuedAt(tried)}
      />
      {isOpen && queuedAt === tried && <Notice kind="good">{words.again}</Notice>}
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

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** A worker takes what is due within seconds. */
const patienceSeconds = 60;

export function WorkerNotice() {
  const { result } = useRun('status', {}, everyMs);
  const { outbox, worker } = recordOf(result?.data);
  const { pending, oldest_age_s: oldest } = recordOf(outbox);
  const last = recordOf(worker)['last_pass_on'];
  if (!(Number(pending) > 0)) return null;
  if (typeof last === 'string' && Number(oldest) < patienceSeconds) return null;
  return (
    <Notice kind="bad">
      <b>{texts.deliveries.noWorker(Number(pending))}</b> {texts.deliveries.lastWorker}{' '}
      {typeof last === 'string' ? <Moment at={last} /> : texts.never}. {texts.deliveries.startWorker}{' '}
      <code>hcd worker</code>
    </Notice>
  );
}
