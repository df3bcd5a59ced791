/** The tutorial holds: its commands and files, in order, lead from an empty directory to a site with a preview. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { repository } from '../architecture/source-file.js';
import { startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { installExample } from '../support/installed-packages.js';
import { makeTempDir } from '../support/temp-dir.js';
import { readSteps } from './steps.js';

const binary = fileURLToPath(new URL('../../bin/hcd', import.meta.url));
// The packages and versions that the tutorial names are those of the example.
const modules = await installExample('astro');

describe.skipIf(modules === null)('docs/tutorial.md', () => {
  test('leads from an empty directory to a typed site with a preview', async () => {
    const root = await makeTempDir('tutorial');
    const [port, sitePort] = [await freePort(), await freePort()];
    await mkdir(join(root, 'bin'));
    await symlink(binary, join(root, 'bin/hcd'));
    const env = {
      ...{ HOME: root, PATH: `${join(root, 'bin')}:${process.env['PATH']}`, ASTRO_TELEMETRY_DISABLED: '1' },
      ...{ HCD_PORT: String(port), HCD_URL: `http://127.0.0.1:${port}`, PORT: String(sitePort), HOST: '127.0.0.1' },
    };
    const shop = join(root, 'shop');
    const { dependencies } = JSON.parse(await readFile(join(repository, 'examples/astro/package.json'), 'utf8'));
    let folder = root;
    let shown = '';
    for (const { path, kind, text } of readSteps('docs/tutorial.md')) {
      if (path !== undefined) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
      } else if (kind === 'sh') {
        const install = /^npm install (.*)$/m.exec(text)?.[1];
        if (install !== undefined) {
          expect(install).toBe(
            `astro@${dependencies.astro} @astrojs/node@${dependencies['@astrojs/node']} ~/hcd/client`,
          );
          await symlink(modules ?? '', join(shop, 'node_modules'));
        }
        const script = `set -e\n${text.replace(/^npm install .*$/m, '')}\npwd`;
        const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env });
        folder = stdout.trim().split('\n').at(-1) ?? '';
        shown += stdout;
      } else if (text.startsWith('hcd serve')) {
        const server = startCli('serve', { cwd: folder, env });
        onTestFinished(async () => {
          server.kill('SIGTERM');
          await server.outcome;
        });
        await server.waitForStderr('listening on');
      } else {
        const [, ...words] = text.trim().split(' ');
        const server = spawn(process.execPath, words, { cwd: folder, env });
        onTestFinished(async () => {
          server.kill('SIGTERM');
          await new Promise((resolve) => server.once('close', resolve));
        });
        await new Promise((resolve) => server.stdout.once('data', resolve));
      }
    }
    const at = async (path: string) => (await fetch(`http://127.0.0.1:${sitePort}${path}`)).text();
    const page = 'equipment/tents/corrie/corrie-2-storm.html';
    const list = await at('/');
    expect(list).toMatch(/<h1>139 products<\/h1>/);
    expect(list).toContain(`<a href="/${page}">Corrie 2 Storm</a> 408.00 €`);
    const built = await at(`/${page}`);
    expect(built).toContain('<h1>Corrie 2 Storm: tent of silicone-coated polyamide</h1>');
    expect(built).not.toContain('[[~');
    const token = /pv_\w+/.exec(shown)?.[0] ?? '';
    expect(await at(`/preview/${page}?preview_token=${token}`)).toContain('<h1>Corrie 2 Gale</h1>');
    expect(await at(`/preview/${page}`)).toBe('This preview has ended.');

    // The reader ends where the next build has to run, and its pages need no new server.
    expect(folder).toBe(shop);
    await promisify(execFile)('bash', ['-c', 'npx --no astro build'], { cwd: folder, env });
    const next = await at(`/${page}`);
    expect(next).toContain('<h1>Corrie 2 Gale</h1>');
    expect(next).toContain('<meta name="viewport"');
  });
});
