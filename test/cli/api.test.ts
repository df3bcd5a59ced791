/** `hcd openapi` and `hcd api`: the document of an interface without a server, and requests to a server. */
import { expect, it } from 'vitest';
import { colourJson } from '../../commands/api.js';
import { paintFor } from '../../commands/paint.js';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { runCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { startTestSite } from '../support/site.js';

const all = { HCD_PAGES_REST_API_ENABLED: '1', HCD_BANNERS_API_ENABLED: '1', HCD_GATEWAY_ENABLED: '1' };

describeEachDatabase('hcd openapi', (database) => {
  it('prints the bytes that the server gives', async () => {
    const databaseUrl = await database.url();
    const site = await startTestSite({ databaseUrl, env: all });
    const port = new URL(site.url).port;
    const env = { ...all, HCD_DATABASE_URL: databaseUrl, HCD_PORT: port };
    for (const [name, path] of [
      ['gateway', '/api/v1/meta/openapi.json'],
      ['pages', '/pages/api/v1.php/openapi.json'],
      ['banners', '/banners/api.php/openapi.json'],
    ]) {
      const served = (await (await fetch(`${site.url}${path}`)).text()).replaceAll('0.0.0-test', '');
      const { code, stdout } = await runCli(`openapi ${name}`, { env, clock: systemClock, openStore });
      const { version } = JSON.parse((await runCli('--version --json')).stdout).data;
      expect({ name, code, text: stdout.replaceAll(`"version":"${version}"`, '"version":""') }).toEqual({
        name,
        code: 0,
        text: served.replaceAll(`"version":"${version}"`, '"version":""'),
      });
    }
  });
});

describeEachDatabase('hcd api', (database) => {
  it('prints the body of the answer as it came, and exits with 1 from 400 on', async () => {
    const site = await startTestSite({ databaseUrl: await database.url(), env: all });
    const port = new URL(site.url).port;
    const get = (path: string) => runCli(['api', 'get', path], { env: { HCD_PORT: port }, clock: systemClock });
    const list = await get('/resources?limit=1');
    expect({ code: list.code, body: JSON.parse(list.stdout) }).toMatchObject({ code: 0, body: { data: [] } });
    const refused = await get('/resources?limit=0');
    expect({ code: refused.code, body: JSON.parse(refused.stdout) }).toMatchObject({ code: 1, body: { status: 422 } });
    expect(refused.stderr).toContain('HTTP 422');
    expect((await get('/api/v1/resources')).code).toBe(0);
    expect(JSON.parse((await get('/banners/api.php/openapi.json')).stdout)).toHaveProperty('paths');
    const env = { HCD_KEY: 'gk_secret-of-a-user' };
    const wrong = await runCli(['api', 'GET', '/resources', '--server', site.url, '--json'], {
      env,
      clock: systemClock,
    });
    expect(JSON.parse(wrong.stdout)).toMatchObject({ data: { status: 401 } });
    expect(wrong.stdout + wrong.stderr).not.toContain('gk_secret');
    const empty = await runCli(['api', 'GET', '/resources', '--server', site.url], {
      env: { HCD_KEY: '' },
      clock: systemClock,
    });
    expect(empty.code).toBe(0);
    const post = ['api', 'POST', '/resources', '--server', site.url, '--data', '-'];
    const { stdout } = await runCli(post, { stdin: '{"pagetitle":"New"}', clock: systemClock });
    expect(JSON.parse(stdout)).toMatchObject({ status: 401, code: 'token_required' });
  });
});

it('hcd api says why there is no answer, and what is wrong with its arguments', async () => {
  const server = `http://127.0.0.1:${await freePort()}`;
  const none = await runCli(['api', 'GET', '/', '--server', server], { clock: systemClock });
  expect(none.code).toBe(1);
  expect(none.stderr).toContain(`${server} did not answer: nothing listens there`);
  for (const words of [
    ['api', 'FETCH', '/'],
    ['api', 'GET', 'resources'],
    ['api', 'GET', '/', '--data', '{}'],
    ['api', 'POST', '/', '--data', '{'],
    ['api', 'GET', '/', '--server', 'ftp://x'],
    ['api', 'GET', '/', '--server', 'http://user:pass@x'],
  ]) {
    expect({ words, code: (await runCli(words, { clock: systemClock })).code }).toEqual({ words, code: 2 });
  }
});

it('JSON on a terminal has the same text, with colours around it', () => {
  const value = { name: 'a "quoted": 1', count: -1.5e3, on: true, none: null, list: ['x'] };
  expect(colourJson(value, paintFor({ hasColour: false }))).toBe(JSON.stringify(value, null, 2));
  expect(colourJson(value, paintFor({ hasColour: true }))).toContain('\u001b[1m"name"\u001b[22m:');
});
