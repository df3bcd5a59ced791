/** The subscription of a receiver in the settings, so that its deliveries work like all others. */
import type { Sealer } from '../../crypto/seal.js';
import type { Database } from '../../store/base/database.js';
import { createStateIfAbsent } from '../../store/state/state.js';
import { changeSubscription, insertSubscription, noFailures, subscriptions } from '../models/subscriptions.js';

export interface SettingReceiver {
  /** Shown in lists of subscriptions. */
  readonly setting: string;
  readonly event: string;
  readonly url: string;
  /** Empty: messages are not signed. */
  readonly secret: string;
}

/** Null while the subscription is disabled. */
export async function prepareReceiver(
  own: Database,
  receiver: SettingReceiver,
  sealer: Sealer,
): Promise<number | null> {
  const { setting, event, url, secret } = receiver;
  const createdBy = `setting ${setting}`;
  const [row] = await subscriptions.on(own.primary).lookUpAll({ createdBy }, { order: ['id'], limit: 1 });
  if (row === undefined) {
    const made = { name: setting, url, events: [event], secret: sealer.seal(secret), active: true, createdBy };
    await own.write(
      async (tx) => {
        // The row is held until the end of the transaction, so only one process creates the subscription.
        await createStateIfAbsent(tx, `receiver of ${setting}`, 'made');
        if ((await subscriptions.on(tx).count({ where: { createdBy } })) === 0) await insertSubscription(tx, made);
      },
      { outcome: async () => undefined },
    );
    return prepareReceiver(own, receiver, sealer);
  }
  const opened = sealer.unseal(row.secret);
  const isSameSecret = opened.kind === 'opened' && opened.text === secret;
  if (row.url !== url || !isSameSecret) {
    const moved = row.url === url ? {} : { url, ...noFailures };
    const sealed = { secret: sealer.seal(secret), previousSecret: null, previousEndsOn: null };
    const changes = { ...moved, ...(isSameSecret ? {} : sealed) };
    await own.write((tx) => changeSubscription(tx, row.id, changes), { outcome: async () => undefined });
  }
  return row.active ? row.id : null;
}
