/** The sample site with what `any-runtime.ts` needs of it. */
import { createClient } from '../../client/src/client.js';
import { buildRegistry } from '../../src/content/objects/core-objects.js';
import { createWebhookSecret } from '../../src/crypto/webhook-secret.js';
import { issueKey } from '../../src/identity/keys/manage-keys.js';
import { deliveryHeaders } from '../../src/webhooks/rules/signatures.js';
import { startSampleSite } from '../support/sample-site.js';
import type { Given } from './any-runtime.js';

/** An origin whose pages may use the site. */
export const otherOrigin = 'http://localhost:5173';

export async function startRuntimeSite(): Promise<Given> {
  const { store, url, change } = await startSampleSite();
  const values = { gateway_cors_enabled: '1', gateway_cors_allowed_origins: otherOrigin };
  await change(
    Object.entries(values).map(
      ([key, value]) =>
        `REPLACE INTO modx_system_settings (\`key\`, value, xtype, namespace, area) VALUES ('${key}', '${value}', 'textfield', 'core', '')`,
    ),
  );
  const { key } = await issueKey(store, {
    ...{ registry: buildRegistry(), scopes: ['*'], name: null, expiresOn: null, username: null, createdBy: 'test' },
    ...{ rateLimit: { max: null, windowSeconds: null }, now: Date.now() },
  });
  const editor = createClient({ url, key });
  const made = await editor.create('resources', { pagetitle: 'Not yet', published: false });
  const draftId = Number(made['id']);
  const { body: preview } = await editor.request('POST', '/previews', { body: { resource: draftId } });
  const { token: draftToken } = (preview as { data: { token: string } }).data;
  const secret = createWebhookSecret();
  const now = 1_795_478_400;
  const body = JSON.stringify({ id: 'e1', type: 'resources.updated', created_at: '2026-11-24T00:00:00Z', data: {} });
  const headers = deliveryHeaders({
    ...{ eventId: 'e1', event: 'resources.updated', deliveryId: 7, body, secrets: [secret], timestamp: now },
  });
  return { url, draftId, draftToken, delivery: { headers, body, secret, now } };
}
