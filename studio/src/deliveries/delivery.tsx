/** Deliveries: a list with filters, and one with every attempt, its answer and the payload. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import type { JsonObject } from '../api.js';
import type { Choices } from '../inputs.js';
import { ListView } from '../list-view.js';
import { CopyButton, Notice, Scroll } from '../parts.js';
import { linkTo } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { type Columns, Facts, Head, Loaded, Moment, recordOf, rowsOf, Table, titleOf } from '../values.js';

export interface ReceiversProps {
  /** With a `state`, the `problem` that each had, and what became of its deliveries in the last day. */
  readonly receivers: readonly JsonObject[];
  /** Of one receiver, or of a delivery. */
  readonly id?: string;
}

export function receiverName({ name, url }: JsonObject): string {
  return String(name ?? url);
}

export function receiverAddress({ id }: JsonObject): string {
  return linkTo('deliveries', 'receiver', String(id));
}

export function namesOf(receivers: readonly JsonObject[]): Choices {
  return receivers.map((one) => [String(one['id']), receiverName(one)]);
}

/** Of all receivers without an id. */
export function DeliveryList({ receivers, id: only }: ReceiversProps) {
  const words = texts.deliveries;
  const names = namesOf(receivers);
  const isOfAll = only === undefined;
  const receiver = {
    name: 'receiver',
    show: ({ subscription_id: id, url }: JsonObject) => new Map(names).get(String(id)) ?? String(url),
  };
  return (
    <>
      <h2 class="part">{words.all}</h2>
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

export function lastAnswer({ last_error: error, last_status: status }: JsonObject): string {
  return String(error ?? (status === null ? '' : `HTTP ${status}`));
}

export function DeliveryPage({ id = '', receivers }: ReceiversProps) {
  const words = texts.deliveries;
  return (
    <Loaded of={useRun('delivery show', { arguments: [id] }, 3000)}>
      {({ data }) => {
        const delivery = recordOf(data);
        const receiver = receivers.find((one) => one['id'] === delivery['subscription_id']);
        const attempts = rowsOf(delivery['attempt_list']).toReversed();
        const body = String(delivery['body']);
        const to = receiver ? <a href={receiverAddress(receiver)}>{receiverName(receiver)}</a> : words.gone;
        return (
          <>
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
            <h2 class="part">{titleOf('attempts')}</h2>
            <Table label={titleOf('attempts')} columns={attemptColumns} rows={attempts} empty={words.noAttempts} />
            {attempts.length > 0 && attempts.every(({ answer }) => answer === null) && (
              <Notice>
                <p>{words.noAnswers}</p>
                <CommandButton
                  {...{ path: 'setting set', words: ['gateway_webhook_keep_answers', '1'], label: words.keepAnswers }}
                />
              </Notice>
            )}
            <div class="bar part">
              <h2>{words.payload}</h2>
              <CopyButton text={body} />
            </div>
            <Scroll label={words.payload}>
              <pre>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
            </Scroll>
          </>
        );
      }}
    </Loaded>
  );
}

function Again({ delivery: { id, status, attempt_list: list } }: { readonly delivery: JsonObject }) {
  const [queuedAt, setQueuedAt] = useState<number | null>(null);
  const words = texts.deliveries;
  const isOpen = status === 'pending' || status === 'delivering';
  const tried = rowsOf(list).length;
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

export function Reason({ receiver }: { readonly receiver: JsonObject }) {
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
