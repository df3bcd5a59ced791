/** Receivers as the room shows them, failing ones first. */
import { useState } from 'preact/hooks';
import { CommandDialog } from '../action.js';
import type { JsonObject } from '../api.js';
import { Notice } from '../parts.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { recordOf, titleOf } from '../values.js';

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
