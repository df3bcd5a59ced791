/** Whether keys and secrets that the database holds could be used by its readers, and whether they can be guessed. */
import type { SettingKey } from '../../config/setting-definitions.js';
import { settingDefinition, settingVariable } from '../../config/settings.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { isSealed } from '../../crypto/seal.js';
import { guessableBelow, readKeptKey } from '../../identity/page-tokens/kept-key.js';
import { hasTable } from '../../store/state/ledger.js';
import { readState } from '../../store/state/state.js';
import { webhookSealer } from '../../webhooks/administration/secrets.js';
import { type Finding, ok, type StoreFacts, warning } from './check.js';

const secrets = [
  'banners_api_key',
  'banners_api_key_previous',
  'pages_public_api_key',
  'banners_webhook_secret',
  'pages_rest_token_pepper',
] as const satisfies readonly SettingKey[];

type SecretKey = (typeof secrets)[number];

export async function checkSecrets(facts: StoreFacts): Promise<Finding | Finding[]> {
  const { store, env } = facts;
  const { values, sources } = await readRuntimeSettings(store, env);
  const given = secrets.filter((key) => values[key] !== '');
  const findings = [
    ...rootFindings(facts),
    ...shortFindings(values.pages_public_api_key),
    ...given.filter((key) => sources[key] === 'database' && isClear(key, values[key])).map(clearFinding),
    ...(await sealFindings(facts, values.banners_webhook_secret)),
  ];
  return findings.length > 0 ? findings : ok('no key is short, and none is stored in the clear');
}

function rootFindings({ configuration: { config } }: StoreFacts): Finding[] {
  if (config.secret !== null) return [];
  return [
    warning(
      'HCD_SECRET is not set: what is encrypted in the database lies beside its key there',
      'Set HCD_SECRET to 32 random characters or more, then give webhooks new secrets: hcd webhook rotate-secret ID',
    ),
  ];
}

function isClear(key: SecretKey, value: string): boolean {
  return !isSealed(value) && !(key === 'pages_public_api_key' && readKeptKey(value).digest !== null);
}

/** Every other key is refused when it is short. */
function shortFindings(key: string): Finding[] {
  if (key === '' || !readKeptKey(key).isShort) return [];
  return [
    warning(
      `pages_public_api_key is shorter than ${guessableBelow} characters and can be guessed`,
      'hcd setting set pages_public_api_key VALUE',
    ),
  ];
}

function clearFinding(key: SecretKey): Finding {
  const isKept = settingDefinition(key).kept !== 'clear';
  const elsewhere = `Guard the database and its backups, or give it as ${settingVariable(key)} instead`;
  return warning(
    `${key} is stored in the clear: anyone who reads the database or a backup can use it`,
    isKept ? `hcd setting set ${key} VALUE stores it in a form that gives nothing away` : elsewhere,
  );
}

async function sealFindings({ store, configuration: { config } }: StoreFacts, secret: string): Promise<Finding[]> {
  if (!isSealed(secret)) return [];
  const stored = async () =>
    (await hasTable(store.own.primary, 'hcd_state')) ? readState(store.own.primary, 'root_secret') : null;
  const root = config.secret ?? (await stored());
  if (root !== null && webhookSealer(root).unseal(secret).kind === 'opened') return [];
  return [
    warning(
      'banners_webhook_secret cannot be decrypted: it was stored under another root secret, and receivers refuse the messages',
      'Set HCD_SECRET as it was, or hcd setting set banners_webhook_secret VALUE',
    ),
  ];
}
