/** Whether settings that protect people and data are off. */
import type { SettingKey } from '../../config/setting-definitions.js';
import { readRuntimeSettings } from '../load-sample/runtime-settings.js';
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
  ];
  const audit = values.gateway_audit_enabled
    ? `audit log kept ${values.gateway_audit_retention_days} days`
    : 'no audit log';
  return findings.length > 0 ? findings : ok(`cross-site requests and repeated POSTs are caught; ${audit}`);
}

function switchOn(key: SettingKey): string {
  return `hcd setting set ${key} 1`;
}
