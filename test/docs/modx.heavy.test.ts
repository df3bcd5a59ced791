/** The guide for MODX sites holds: its commands and requests run in order on the database of a real site. */
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open/open.js';
import { startCli } from '../support/cli.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { fixtureDirectory } from '../support/fixture-directory.js';
import { freePort } from '../support/free-port.js';
import { patientLimits } from '../support/patient-limits.js';
import { makeTempDir } from '../support/temp-dir.js';
import { readDocument } from './markdown.js';

if (fixtureDirectory() === undefined) {
  process.stdout.write('\nNOTICE: the test of docs/modx.md was skipped: no dump of a real site here.\n');
}

const binary = fileURLToPath(new URL('../../bin/hcd', import.meta.url));

/** Definitions and rows of every table, those of `hcd` by name only. */
async function lookAt(databaseUrl: string): Promise<{ readonly site: unknown; readonly own: readonly string[] }> {
  const { content, close } = await openStore({ databaseUrl, prefix: 'modx_', limits: patientLimits });
  const ask = (sql: string) => content.select({ sql, params: [] });
  const names = (await ask('SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()'))
    .map(([name]) => String(name))
    .sort();
  const site: unknown[] = [];
  for (const name of names.filter((one) => one.startsWith('modx_'))) {
    const [definition] = await ask(`SHOW CREATE TABLE ${name}`);
    const [checksum] = await ask(`CHECKSUM TABLE ${name}`);
    site.push([String(definition?.[1]).replace(/ AUTO_INCREMENT=\d+/, ''), checksum?.[1]]);
  }
  await close();
  return { site, own: names.filter((name) => !name.startsWith('modx_')) };
}

describeWithFixture('docs/modx.md', () => {
  test('serves a site and leaves its tables and rows as they were', async () => {
    const databaseUrl = await loadFixture();
    const before = await lookAt(databaseUrl);
    const root = await makeTempDir('modx');
    const port = await freePort();
    await mkdir(join(root, 'bin'));
    await symlink(binary, join(root, 'bin/hcd'));
    // Only what a reader of the page changes, too.
    const words: Readonly<Record<string, string>> = {
      'mariadb://USER:PASSWORD@HOST:3306/DATABASE': databaseUrl,
      '127.0.0.1:8080': `127.0.0.1:${port}`,
      'resources/42': 'resources/22',
      'preview 42': 'preview 22',
      'tv_fields=image': 'tv_fields=gostFile',
      'resources/43': 'resources/23',
      'tv_fields=blocks': 'tv_fields=changeElectricLinks',
    };
    const state = join(root, 'terminal');
    await writeFile(state, '');
    const env = { HOME: root, PATH: `${join(root, 'bin')}:${process.env['PATH']}` };
    const run = async (text: string) => {
      const adapted = Object.entries(words).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
      // What the terminal of the reader keeps: its variables.
      const script = `set -e -o pipefail; . ${state}\n${adapted}\nexport -p > ${state}`;
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root, env });
      return stdout;
    };
    const shown = new Map<string, string>();
    const blocks = [...readDocument('docs/modx.md').matchAll(/```sh( server)?\n([\s\S]*?)```/g)];
    let stop = async () => {};
    onTestFinished(() => stop());
    for (const [, server, text = ''] of blocks) {
      if (server !== undefined) {
        const serving = startCli('serve', {
          cwd: root,
          env: { ...env, HCD_DATABASE_URL: databaseUrl, HCD_CONTENT_PREFIX: 'modx_', HCD_PORT: String(port) },
        });
        stop = async () => {
          serving.kill('SIGTERM');
          await serving.outcome;
        };
        await serving.waitForStderr('listening on');
      } else {
        // The page says: stop the server first.
        if (text.includes('migrate down')) await stop();
        for (const line of text.trim().split('\n')) shown.set(line, await run(line));
      }
    }
    const answerTo = (part: string): { data: never } => {
      const line = [...shown.keys()].find((one) => one.startsWith('curl') && one.includes(part)) ?? '';
      return JSON.parse(shown.get(line) ?? '');
    };
    expect(answerTo('/tree')).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ uri: 'katalog/' })]),
    });
    expect(answerTo('/pages?')).toMatchObject({ data: { id: 1, uri: 'index.html' } });
    expect(answerTo('X-Context')).toMatchObject({ data: [{ context_key: 'web' }] });
    expect(answerTo('tv_fields=image')).toMatchObject({
      data: { tvs: { gostFile: expect.stringMatching(/^\/.*\.pdf$/) } },
    });
    const { data } = answerTo('tv_fields=blocks') as { data: { tvs: { changeElectricLinks: unknown } } };
    expect(data.tvs.changeElectricLinks).toHaveLength(2);
    expect(JSON.stringify(data)).not.toContain('[[');
    expect(shown.get('hcd resource preview 42')).toContain('preview_token=pv_');
    expect(await lookAt(databaseUrl)).toEqual({ site: before.site, own: ['hcd_migrations'] });
  });
});
