/**
 * A client library that knows nothing of this server: discovery, a token by client_credentials or for a user's password,
 * its use and its end.
 */
import * as oauth from 'openid-client';
import { expect, test } from 'vitest';
import { prepareCliDatabase } from '../../support/cli-database.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { startTestSite } from '../../support/site.js';

test.each([
  ['client_secret_basic', oauth.ClientSecretBasic],
  ['client_secret_post', oauth.ClientSecretPost],
] as const)('openid-client gets, uses, looks at and ends a token with %s', async (_name, authentication) => {
  const db = await prepareCliDatabase(await freshSqliteUrl());
  const id = 'Shop & news: 100%';
  const made = await db.json(['oauth', 'client', 'add', id, '--scopes', 'chunks.read,templates.read']);
  const secret = (made as { data: { client_secret: string } }).data.client_secret;
  const site = await startTestSite({ databaseUrl: db.url, env: { HCD_GATEWAY_OAUTH_ENABLED: '1' } });

  const config = await oauth.discovery(new URL(site.url), id, undefined, authentication(secret), {
    algorithm: 'oauth2',
    // The test server speaks plain HTTP.
    execute: [oauth.allowInsecureRequests],
  });
  expect(config.serverMetadata().token_endpoint).toBe(`${site.url}/api/v1/auth/token`);

  const token = await oauth.clientCredentialsGrant(config, { scope: 'chunks.read' });
  expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'chunks.read' });
  const fetchWith = (path: string) =>
    oauth.fetchProtectedResource(config, token.access_token, new URL(`${site.url}/api/v1${path}`), 'GET');
  expect((await fetchWith('/chunks')).status).toBe(200);
  // The library throws what the challenge of a refusal says.
  expect(await oauth.tokenIntrospection(config, token.access_token)).toMatchObject({ active: true, client_id: id });

  await oauth.tokenRevocation(config, token.access_token);
  expect((await oauth.tokenIntrospection(config, token.access_token)).active).toBe(false);
  await expect(fetchWith('/chunks')).rejects.toMatchObject({ name: 'WWWAuthenticateChallengeError', status: 401 });

  await expect(oauth.clientCredentialsGrant(config, { scope: 'nonsense' })).rejects.toMatchObject({
    error: 'invalid_scope',
    status: 400,
  });
});

test('openid-client gets a token for a user by the grant password, or the reason of the refusal', async () => {
  const db = await prepareCliDatabase(await freshSqliteUrl());
  const password = ' Käse "&=+% larkfell ';
  await db.json('user add rowan --permissions resources.read --password-stdin', { stdin: password });
  const flags = '--scopes resources.read,chunks.read --grants client_credentials,password';
  const made = await db.json(`oauth client add website ${flags}`);
  const secret = (made as { data: { client_secret: string } }).data.client_secret;
  const site = await startTestSite({
    databaseUrl: db.url,
    env: { HCD_GATEWAY_OAUTH_ENABLED: '1', HCD_GATEWAY_OAUTH_PASSWORD_GRANT_ENABLED: '1' },
  });
  const config = await oauth.discovery(new URL(site.url), 'website', undefined, oauth.ClientSecretBasic(secret), {
    algorithm: 'oauth2',
    execute: [oauth.allowInsecureRequests],
  });
  expect(config.serverMetadata().grant_types_supported).toEqual(['client_credentials', 'password']);
  const ask = (given: Readonly<Record<string, string>>) =>
    oauth.genericGrantRequest(config, 'password', { username: 'rowan', password, scope: 'resources.read', ...given });

  const token = await ask({});
  expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'resources.read' });
  const address = (path: string) => new URL(`${site.url}/api/v1${path}`);
  const read = await oauth.fetchProtectedResource(config, token.access_token, address('/resources'), 'GET');
  expect(read.status).toBe(200);
  expect(await oauth.tokenIntrospection(config, token.access_token)).toMatchObject({
    active: true,
    client_id: 'website',
    scope: 'resources.read',
    sub: expect.stringMatching(/^[1-9][0-9]*$/),
  });

  await expect(ask({ password: 'wrong' })).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  await expect(ask({ username: 'nobody' })).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  await expect(ask({ scope: 'templates.read' })).rejects.toMatchObject({ error: 'invalid_scope', status: 400 });
});
