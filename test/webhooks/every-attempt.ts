/** All attempts as one table: those that failed, and the one that succeeded, which is kept in the row of its delivery. */
const failed =
  '`delivery_id`, `number`, `outcome`, `status`, `error`, `answer`, `started_on`, `ended_on`, `claim` FROM `hcd_webhook_attempts`';
const delivered =
  "`id`, `attempts`, 'delivered', `last_status`, NULL, `answer`, `visible_at` - `took_ms`, `visible_at`, `claim` FROM `hcd_webhook_deliveries` WHERE `status` = 'delivered'";

export const everyAttempt = `(SELECT ${failed} UNION ALL SELECT ${delivered}) AS \`every_attempt\``;
