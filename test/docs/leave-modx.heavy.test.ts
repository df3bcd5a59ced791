/** The guide holds: its commands take a real site out of MODX, and old addresses lead to its pages. */
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from '../architecture/source-file.js';
import { startCli } from '../support/cli.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { fixtureDirectory } from '../support/fixture-directory.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';
import { readSteps } from './steps.js';

if (fixtureDirectory() === undefined) {
  process.stdout.write('\nNOTICE: the test of docs/leave-modx.md was skipped: no dump of a real site here.\n');
}

describeWithFixture('docs/leave-modx.md', () => {
  test('takes a site along, with its users and old addresses', async () => {
    const databaseUrl = await loadFixture();
    const root = await makeTempDir('leave-modx');
    const port = await freePort();
    await mkdir(join(root, 'bin'));
    await symlink(join(repository, 'bin/hcd'), join(root, 'bin/hcd'));
    const state = join(root, 'terminal');
    await writeFile(state, '');
    const env = { HOME: root, PATH: `${join(root, 'bin')}:${process.env['PATH']}` };
    const words: Readonly<Record<string, string>> = {
      'mariadb://USER:PASSWORD@HOST:3306/DATABASE': databaseUrl,
      '127.0.0.1:8080': `127.0.0.1:${port}`,
    };
    let folder = root;
    const shown: string[] = [];
    for (const { path, kind, text } of readSteps('docs/leave-modx.md')) {
      if (path !== undefined) await writeFile(join(root, path), text);
      else if (kind === 'sh server') {
        const own = { HCD_DATABASE_URL: 'sqlite:./site.db', HCD_PORT: String(port) };
        const server = startCli('serve', { cwd: folder, env: { ...env, ...own } });
        onTestFinished(async () => {
          server.kill('SIGTERM');
          await server.outcome;
        });
        await server.waitForStderr('listening on');
      } else {
        const adapted = Object.entries(words).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
        const script = `set -e -o pipefail; . ${state}\n${adapted}\necho; export -p > ${state}; pwd`;
        const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env });
        shown.push(stdout);
        folder = stdout.trim().split('\n').at(-1) ?? '';
      }
    }
    const [copied = '', users = '', , listed = '', answers = ''] = shown;
    expect(copied).not.toContain('differs');
    expect(JSON.parse(users.split('\n')[0] ?? '')).toMatchObject({ data: expect.any(Array) });
    expect(listed.match(/redirects\s+3/g)).toHaveLength(2);
    expect(answers).toContain('HTTP/1.1 301');
    expect(answers).toContain('Location: /api/v1/pages/index.html?fields=id');
    expect(answers).toContain('"from":"home.php","to":"index.html","status":301');
    expect(answers).toContain('"from":"shop","to":"https://shop.example.com/","status":302');
  });
});
