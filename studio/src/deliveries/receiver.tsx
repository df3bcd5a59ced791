/** Receivers as the room shows them, failing ones first. */
import type { JsonObject } from '../api.js';
import { linkTo } from '../route.js';
import { recordOf } from '../values.js';

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
