/**
 * The webhook subscription that stands for a receiver of the settings: made with the first message and brought up to
 * date with the setting, so that deliveries, retries and their standing are those of every other receiver.
 */
import type { Sealer } from '../../crypto/seal.js';
import type { Tx } from '../../store/base/database.js';
import { createStateIfAbsent } from '../../store/state/state.js';
import {
  changeSubscription,
  findSubscriptionByCreator,
  forgetFailures,
  insertSubscription,
  replaceSecret,
} from '../../webhooks/rows/webhook-subscriptions.js';

export interface SettingReceiver {
  /** Name of the setting, for people who look at subscriptions. */
  readonly setting: string;
  readonly event: string;
  readonly url: string;
  /** Empty: messages are not signed. */
  readonly secret: string;
}

/** Id of the active subscription; null while somebody has disabled it. */
export async function prepareReceiver(tx: Tx, receiver: SettingReceiver, sealer: Sealer): Promise<number | null> {
  const { setting, event, url, secret } = receiver;
  const createdBy = `setting ${setting}`;
  const row = await findSubscriptionByCreator(tx, createdBy);
  if (row === null) {
    // Its row is held until the end of the transaction: of two processes that are first one makes it.
    await createStateIfAbsent(tx, `receiver of ${setting}`, 'made');
    const made = await findSubscriptionByCreator(tx, createdBy);
    if (made !== null) return made.id;
    const sealed = sealer.seal(secret);
    return insertSubscription(tx, { name: setting, url, events: [event], secret: sealed, active: true, createdBy });
  }
  if (row.url !== url) {
    await changeSubscription(tx, row.id, { url });
    await forgetFailures(tx, row.id);
  }
  const opened = sealer.unseal(row.secret);
  if (opened.kind !== 'opened' || opened.text !== secret) {
    await replaceSecret(tx, row.id, { secret: sealer.seal(secret), previousSecret: null, previousEndsOn: null });
  }
  return row.active ? row.id : null;
}
