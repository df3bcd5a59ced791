/** The page on production holds: its commands run in order on a new MariaDB server, from an empty directory. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startCli } from '../support/cli.js';
import { describeWithOwnMariadb, startMariadb } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import { readDocument } from './markdown.js';

const binary = fileURLToPath(new URL('../../bin/hcd', import.meta.url));

interface Block {
  /** `sh`, `sh server` or `cron`. */
  readonly kind: string;
  readonly text: string;
}

function readBlocks(): Block[] {
  const blocks = readDocument('docs/production.md').matchAll(/```(sh(?: server)?|cron)\n([\s\S]*?)```/g);
  return [...blocks].map(([, kind = '', text = '']) => ({ kind, text }));
}

describeWithOwnMariadb('docs/production.md', () => {
  test('leads from an empty directory to a site that serves, notifies, backs up and is measured', async () => {
    const root = await makeTempDir('production');
    const mariadb = await startMariadb();
    const receiver = await startWebhookReceiver();
    const [port, adminPort] = [await freePort(), await freePort()];
    await mkdir(join(root, 'bin'));
    await symlink(binary, join(root, 'bin/hcd'));
    await writeFile(join(root, '.my.cnf'), `[client]\nhost=127.0.0.1\nport=${mariadb.port}\nuser=root\n`);
    // Only what a reader of the page changes, too: places, ports and the address of the website.
    const words: Readonly<Record<string, string>> = {
      '/var/lib/hcd': join(root, 'site'),
      '/var/backups/hcd': join(root, 'backups'),
      '127.0.0.1:3306': `127.0.0.1:${mariadb.port}`,
      '127.0.0.1:8080': `127.0.0.1:${port}`,
      '127.0.0.1:9100': `127.0.0.1:${adminPort}`,
      'HCD_ADMIN_PORT=9100': `HCD_ADMIN_PORT=${adminPort}`,
      'https://www.example.com/hooks/content': receiver.url,
      '--apis gateway,pages,banners': `--apis gateway,pages,banners --port ${port}`,
    };
    const env = {
      HOME: root,
      PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
      // The receiver of the test is on this machine.
      HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1',
    };
    const adapted = (text: string) =>
      Object.entries(words).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
    // What the terminal of the reader keeps: directory and variables.
    const state = join(root, 'terminal');
    await writeFile(state, '');
    const run = async (text: string) => {
      const script = `set -e -o pipefail; set -a; . ${state}; set +a\n${adapted(text)}\n{ declare -p EDITOR_KEY 2>/dev/null || true; echo "cd '$PWD'"; } > ${state}`;
      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { cwd: root, env });
      return stdout + stderr;
    };
    let shown = '';
    for (const { kind, text } of readBlocks()) {
      if (kind === 'sh') {
        shown += await run(text);
      } else if (kind === 'cron') {
        for (const line of text.trim().split('\n')) {
          const command = /^(?:\S+\s+){5}hcd\s+(.*)$/.exec(line)?.[1] ?? '';
          // Cron has its own environment, not that of the terminal.
          await promisify(execFile)('sh', ['-c', adapted(command)], { cwd: '/', env });
        }
        expect(receiver.received).toHaveLength(1);
      } else {
        const command = /hcd (serve .*)$/m.exec(text)?.[1] ?? '';
        const server = startCli(command, {
          cwd: join(root, 'site'),
          env: { ...env, HCD_ADMIN_PORT: String(adminPort) },
        });
        onTestFinished(async () => {
          server.kill('SIGTERM');
          expect((await server.outcome).code).toBe(0);
        });
        await server.waitForStderr('listening on');
      }
    }
    expect(shown).toContain('"status":"ok"');
    expect(shown).toContain('Hello');
    expect(shown).toContain('Welcome to the site');
    expect(shown).toMatch(/hcd_outbox_depth\{status="\w+"/);
    expect(await readdir(join(root, 'backups'))).toContainEqual(expect.stringMatching(/^hcd-.*\.backup$/));
  });
});
