/** Whether settings that protect people and data are off. */
import type { SettingKey } from '../../config/setting-definitions.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { readUntrustedForwarder } from '../../identity/limits/untrusted-forwarder.js';
import { hasTable } from '../../store/state/ledger.js';
import { type Finding, ok, type StoreFacts, warning } from './check.js';

export async function checkSafeguards({ store, env }: StoreFacts): Promise<Finding | Finding[]> {
  const { values } = await readRuntimeSettings(store, env);
  const findings = [
    ...(values.gateway_csrf_enabled
      ? []
      : [
          warning(
            'gateway_csrf_enabled is off: any web page can make changes in the name of whoever is logged in here',
            switchOn('gateway_csrf_enabled'),
          ),
        ]),
    ...(values.gateway_idempotency_enabled
      ? []
      : [
          warning(
            'gateway_idempotency_enabled is off: a POST that a client sends again after a broken connection is done twice',
            switchOn('gateway_idempotency_enabled'),
          ),
        ]),
    ...(values.gateway_oauth_enabled && values.gateway_oauth_password_grant_enabled
      ? [
          warning(
            'gateway_oauth_password_grant_enabled is on: clients with the grant password see the passwords of their users',
            'hcd setting set gateway_oauth_password_grant_enabled 0, unless such a client is trusted like the site itself',
          ),
        ]
      : []),
    ...(await proxyFindings(store, values.gateway_trusted_proxies)),
  ];
  const audit = values.gateway_audit_enabled
    ? `audit log kept ${values.gateway_audit_retention_days} days`
    : 'no audit log';
  return findings.length > 0 ? findings : ok(`cross-site requests and repeated POSTs are caught; ${audit}`);
}

/** Everybody behind a proxy that is not named shares one address, and so one limit and one lock of the log-in. */
async function proxyFindings({ own }: StoreFacts['store'], trusted: readonly string[]): Promise<Finding[]> {
  const noted = (await hasTable(own.primary, 'hcd_state')) ? await readUntrustedForwarder(own.primary, trusted) : null;
  if (noted === null) return [];
  const isNetwork = noted.peer.includes('/');
  const fix = `hcd setting set gateway_trusted_proxies ${[...trusted, noted.peer].join(',')}`;
  return [
    warning(
      `${noted.peer} sends X-Forwarded-For and is no trusted proxy: everybody behind it counts as one visitor for rate limits and log-ins`,
      `If it is your proxy: ${isNetwork ? 'name its address in gateway_trusted_proxies' : fix}`,
    ),
  ];
}

function switchOn(key: SettingKey): string {
  return `hcd setting set ${key} 1`;
}
