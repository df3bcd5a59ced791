/** Checks of deliveries in impossible states, of secrets that do not open, and of pages without their document. */
import { Op } from 'sequelize';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { isSealed } from '../../crypto/seal.js';
import { pageRevisions } from '../../pages/models/page-revisions.js';
import { pages } from '../../pages/models/pages.js';
import { repeatable } from '../../store/base/database.js';
import {
  isUsualSecret,
  readState,
  secretFingerprint,
  secretFingerprintKey,
  writeState,
} from '../../store/state/state.js';
import { webhookSealer } from '../../webhooks/administration/secrets.js';
import { deliveries, deliveryStatuses, doneStatuses, openStatuses } from '../../webhooks/models/deliveries.js';
import { subscriptions } from '../../webhooks/models/subscriptions.js';
import { batchSize, type CheckWork, type Found, repairs, rowsById, type StoreCheck } from './check.js';

export const outboxChecks: readonly StoreCheck[] = [
  {
    name: 'deliveries',
    severity: 'error',
    about: 'Deliveries in a state that no worker writes',
    fix: 'Send it again: hcd delivery retry ID',
    find: findImpossible,
  },
  {
    name: 'secrets',
    severity: 'error',
    about: 'Encrypted secrets that the root secret does not open',
    fix: 'Set HCD_SECRET as it was, or store new secrets: hcd webhook rotate-secret ID',
    find: findSealed,
  },
  {
    name: 'root-secret',
    severity: 'error',
    about: 'Another HCD_SECRET than the one with which the store was first served',
    fix: `Set HCD_SECRET as it was. After a change on purpose, accept it: ${repairs}`,
    find: findOtherSecret,
  },
  {
    name: 'publications',
    severity: 'error',
    about: 'Published pages without the document that was published',
    fix: 'Publish the draft or an earlier revision: hcd page publish ID, hcd page rollback ID REVISION',
    find: findEmptyPages,
  },
];

const oneOf = (statuses: readonly string[]) => `\`status\` IN (${statuses.map((status) => `'${status}'`).join(', ')})`;

/** No worker writes these. The lease of a worker that is gone ends by itself. */
const impossible: Readonly<Record<string, string>> = {
  'has an unknown status': `NOT (${oneOf(deliveryStatuses)})`,
  'is being delivered, and no worker has claimed it': "`status` = 'delivering' AND (`claim` = '' OR `claimed_by` = '')",
  'waits, and a worker has claimed it': "`status` = 'pending' AND (`claim` <> '' OR `claimed_by` <> '')",
  'is finished, and a worker has claimed it': `${oneOf(doneStatuses)} AND \`claimed_by\` <> ''`,
  'was delivered without a successful answer':
    "`status` = 'delivered' AND (`attempts` < 1 OR `last_status` NOT BETWEEN 200 AND 299)",
};

async function* findImpossible(work: CheckWork): AsyncGenerator<Found> {
  const cases = Object.entries(impossible);
  const detail = `CASE ${cases.map(([, where], at) => `WHEN ${where} THEN ${at}`).join(' ')} END`;
  const any = cases.map(([, where]) => `(${where})`).join(' OR ');
  const sql = `SELECT \`id\`, ${detail} FROM \`${deliveries.table}\` WHERE \`id\` > ? AND (${any}) ORDER BY \`id\` LIMIT ${batchSize}`;
  for await (const [id, at] of rowsById(work, work.store.own, sql)) {
    yield { table: deliveries.table, key: Number(id), detail: cases[Number(at)]?.[0] ?? '' };
  }
}

async function* findOtherSecret({ store: { own }, secret, isRepairing }: CheckWork): AsyncGenerator<Found> {
  const key = secretFingerprintKey;
  if (secret === null || (await isUsualSecret(own.primary, secret))) return;
  if (isRepairing) await own.write((tx) => writeState(tx, key, secretFingerprint(secret)), repeatable);
  yield { table: 'hcd_state', key, detail: 'is that of another HCD_SECRET', isRepaired: isRepairing };
}

async function* findSealed({ store, env, secret, onStep }: CheckWork): AsyncGenerator<Found> {
  const own = store.own.primary;
  // A check must not create a secret.
  const root = secret ?? (await readState(own, 'root_secret'));
  const sealer = root === null ? null : webhookSealer(root);
  const problemOf = (sealed: string): string | null => {
    const kind = sealer?.unseal(sealed).kind ?? 'foreign';
    if (kind === 'opened') return null;
    return kind === 'foreign' ? 'is encrypted under another root secret' : 'is damaged';
  };
  for (const { id, secret: current, previousSecret } of await subscriptions.on(own).findAll({ order: ['id'] })) {
    const table = subscriptions.table;
    const problem = problemOf(current);
    if (problem !== null) yield { table, key: id, detail: `the secret ${problem}` };
    const before = previousSecret === null ? null : problemOf(previousSecret);
    if (before !== null) yield { table, key: id, detail: `the previous secret ${before}` };
  }
  if (store.kind !== 'empty') {
    const { banners_webhook_secret: kept } = (await readRuntimeSettings(store, env)).values;
    const problem = isSealed(kept) ? problemOf(kept) : null;
    const fix = 'Set HCD_SECRET as it was, or store it again: hcd setting set banners_webhook_secret VALUE';
    const table = `${store.prefix}system_settings`;
    if (problem !== null) yield { table, key: 'banners_webhook_secret', detail: problem, fix };
  }
  for (let after = 0; ; ) {
    const where = { id: { [Op.gt]: after }, status: [...openStatuses] };
    const attributes = ['id', 'secrets'] as const;
    const part = await deliveries.on(own).findAll({ attributes, where, order: ['id'], limit: batchSize });
    onStep();
    for (const { id, secrets } of part) {
      const problem = secrets.map(problemOf).find((one) => one !== null);
      const fix = 'Set HCD_SECRET as it was. Without it the delivery fails after its last attempt';
      if (problem !== undefined) yield { table: deliveries.table, key: id, detail: `a secret ${problem}`, fix };
    }
    if (part.length < batchSize) return;
    after = part.at(-1)?.id ?? after;
  }
}

async function* findEmptyPages(work: CheckWork): AsyncGenerator<Found> {
  const { table } = pages;
  const sql = `SELECT p.\`resource_id\`, p.\`last_published\` FROM \`${table}\` AS p WHERE p.\`is_published\` = 1 AND p.\`resource_id\` > ?
    AND NOT EXISTS (SELECT 1 FROM \`${pageRevisions.table}\` AS r
      WHERE r.\`resource_id\` = p.\`resource_id\` AND r.\`revision\` = p.\`last_published\`)
    ORDER BY p.\`resource_id\` LIMIT ${batchSize}`;
  for await (const [id, revision] of rowsById(work, work.store.own, sql)) {
    yield { table, key: Number(id), detail: `there is no document of its revision ${revision}` };
  }
}
