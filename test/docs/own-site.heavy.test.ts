/** The guide holds: its commands and files, in order, lead from an empty folder to a page with a picture. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from '../architecture/source-file.js';
import { startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';
import { readSteps } from './steps.js';

test('docs/own-site.md leads from an empty folder to a page with a picture', async () => {
  const root = await makeTempDir('own-site');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await mkdir(join(root, 'bin'));
  await symlink(join(repository, 'bin/hcd'), join(root, 'bin/hcd'));
  const path = `${join(root, 'bin')}:${process.env['PATH']}`;
  const env = { HOME: root, PATH: path, HCD_PORT: String(port), HCD_URL: url };
  let folder = root;
  const shown: string[] = [];
  for (const { path: file, kind, text } of readSteps('docs/own-site.md')) {
    if (file !== undefined) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    } else if (kind === 'sh server') {
      const server = startCli('serve', { cwd: folder, env });
      onTestFinished(async () => {
        server.kill('SIGTERM');
        await server.outcome;
      });
      await server.waitForStderr('listening on');
    } else {
      const script = `set -e\n${text.replaceAll('http://127.0.0.1:8080', url)}\necho; pwd`;
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env });
      shown.push(stdout);
      folder = stdout.trim().split('\n').at(-1) ?? '';
    }
  }
  const [begun, list, variable, put, page, built] = shown;
  expect(begun).toContain('.gitify\n.gitignore\n_data\nfiles\nhcd.sqlite');
  expect(list).toContain('"uri":"articles/a-loaf-for-beginners.html"');
  expect(variable).toContain("caption: 'People it serves'");
  expect(put).toContain('/files/pictures/soup.webp');
  expect(page).toContain('+ resources web:articles/soup.html');
  expect(page).toContain('"cover":"/files/pictures/soup.webp"');
  expect(page).toContain('"serves":4');
  expect(built).toContain('6 pages');
  const html = await readFile(join(folder, 'out/articles/soup.html'), 'utf8');
  const picture = /<img src="([^"?]+)/.exec(html)?.[1] ?? '';
  expect((await fetch(picture)).headers.get('content-type')).toBe('image/webp');
});
