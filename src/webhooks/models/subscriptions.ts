/** Webhook subscriptions. Secrets are sealed; times are Unix milliseconds of the clock of the database. */
import type { DialectName, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/base/dialect.js';
import {
  flag,
  fromNow,
  id,
  integer,
  jsonTexts,
  optional,
  orNull,
  readTime,
  text,
  time,
} from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export type SubscriptionRow = RowOf<typeof subscriptions>;
type NewSubscription = Pick<SubscriptionRow, 'name' | 'url' | 'events' | 'secret' | 'active' | 'createdBy'>;

export const longestName = 100;
const longestReason = 300;

export const subscriptions = defineModel('hcd_webhook_subscriptions', {
  id: id(),
  name: orNull(text(longestName)),
  url: text(2048),
  /** A damaged list wants nothing: it must not stop every change of content. */
  events: jsonTexts(),
  secret: text(),
  /** Signs next to the new secret until `previousEndsOn`. */
  previousSecret: orNull(text()),
  previousEndsOn: orNull(time()),
  active: optional(flag()),
  disabledReason: orNull(text(longestReason)),
  failures: optional(integer()),
  firstFailureOn: orNull(time()),
  /** Given during these failures. */
  warnings: optional(integer()),
  createdOn: time(),
  updatedOn: time(),
  createdBy: text(190),
  signingSecrets: { ...text(), isOptional: true, expression: signingSecrets },
  readOn: readTime(),
});

/** As deliveries keep them: during a rotation the old secret follows the new one after a space. */
export function signingSecrets(dialect: DialectName): string {
  const both =
    dialect === 'mariadb' ? "CONCAT(`secret`, ' ', `previous_secret`)" : "`secret` || ' ' || `previous_secret`";
  const isOverlap = `\`previous_secret\` IS NOT NULL AND \`previous_ends_on\` > ${nowMilliseconds(dialect)}`;
  return `CASE WHEN ${isOverlap} THEN ${both} ELSE \`secret\` END`;
}

export const noFailures = { failures: 0, firstFailureOn: null, warnings: 0 };

export function insertSubscription(tx: Tx, row: NewSubscription): Promise<number> {
  return subscriptions.on(tx).create({ ...row, createdOn: fromNow(tx), updatedOn: fromNow(tx) });
}

export function changeSubscription(
  tx: Tx,
  id: number,
  values: Partial<Omit<SubscriptionRow, 'id' | 'createdOn' | 'updatedOn'>>,
): Promise<number> {
  return subscriptions.on(tx).update({ ...values, updatedOn: fromNow(tx) }, { where: { id } });
}

export async function deactivateSubscription(tx: Tx, id: number, reason: string): Promise<boolean> {
  const disabledReason = [...reason].slice(0, longestReason).join('');
  const values = { active: false, disabledReason, updatedOn: fromNow(tx) };
  return (await subscriptions.on(tx).update(values, { where: { id, active: true } })) > 0;
}
