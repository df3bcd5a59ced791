/** The page on production holds: its commands run in order as the users that it names, from an empty directory. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeWithOwnMariadb, startMariadb } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import { readDocument } from './markdown.js';

const run = promisify(execFile);
const binary = fileURLToPath(new URL('../../bin/hcd', import.meta.url));
const units = fileURLToPath(new URL('../../contrib/systemd/', import.meta.url));
const isRoot = process.getuid?.() === 0;
if (!isRoot) {
  process.stdout.write('\nNOTICE: the test of docs/production.md was skipped: it makes a user, which needs root.\n');
}

interface Block {
  /** `sh root`, `sh`, `sh server`, `cron` or `sh trial`. */
  readonly kind: string;
  readonly text: string;
}

function readBlocks(): Block[] {
  const blocks = readDocument('docs/production.md').matchAll(/```(sh(?: \w+)?|cron)\n([\s\S]*?)```/g);
  return [...blocks].map(([, kind = '', text = '']) => ({ kind, text }));
}

/** Lines of a unit of systemd by their name; the last one counts. */
async function readUnit(name: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await readFile(join(units, name), 'utf8')).matchAll(/^(\w+)=(.*)$/gm);
  return new Map([...lines].map(([, key = '', value = '']) => [key, value]));
}

interface Terminal {
  /** Runs the text, then remembers directory and variables. Gives what it printed. */
  run(text: string): Promise<string>;
}

type Env = Readonly<Record<string, string>>;

/** Has the command started by this user, with its groups and nothing of the environment of the test. */
function asUser(user: string, env: Env, command: readonly string[]): [string, string[]] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = ['--reuid', user, '--regid', user, '--init-groups', 'env', '-i', ...variables, ...command];
  return ['setpriv', words];
}

function openTerminal(state: string, start: (script: string) => [string, string[]]): Terminal {
  return {
    async run(text) {
      const script = `set -e -o pipefail; umask 022; [ ! -f ${state} ] || { set -a; . ${state}; set +a; }
${text}
{ declare -p EDITOR_KEY NEWEST 2>/dev/null || true; echo "cd '$PWD'"; } > ${state}`;
      const { stdout, stderr } = await run(...start(script));
      return stdout + stderr;
    },
  };
}

async function waitFor(child: ChildProcess, text: string): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.includes(text)) resolve();
    });
    child.once('close', () => reject(new Error(`the process ended without saying "${text}": ${said}`)));
  });
}

/** A user of this machine for one test: the name `hcd` can be that of a real service. */
async function makeUserName(): Promise<string> {
  const user = `hcd-test-${process.pid}`;
  onTestFinished(async () => {
    await run('userdel', [user]);
  });
  return user;
}

const describeAsRoot = isRoot ? describeWithOwnMariadb : describe.skip;

describeAsRoot('docs/production.md', () => {
  test('leads a root user and the user of the service to a site that serves, notifies and backs up each night', async () => {
    const root = await makeTempDir('production');
    await chmod(root, 0o755);
    const mariadb = await startMariadb();
    const receiver = await startWebhookReceiver();
    const [port, adminPort, user] = [await freePort(), await freePort(), await makeUserName()];
    const arguments_ = join(root, 'arguments');
    await run('install', ['-d', join(root, 'bin'), join(root, 'home')]);
    // It notes its arguments, which every user of a machine can read.
    await writeFile(join(root, 'bin/hcd'), `#!/bin/sh\necho "$@" >> ${arguments_}\nexec ${binary} "$@"\n`, {
      mode: 0o755,
    });
    await writeFile(arguments_, '');
    await chmod(arguments_, 0o666);
    await writeFile(join(root, 'home/.my.cnf'), `[client]\nhost=127.0.0.1\nport=${mariadb.port}\nuser=root\n`);
    const site = join(root, 'site');
    // Only what a reader of the page changes, too: places, ports, names and the address of the website.
    const words: readonly (readonly [string, string])[] = [
      ['/var/lib/hcd', site],
      ['/var/backups/hcd', join(root, 'backups')],
      ['/usr/local/bin', `${join(root, 'bin')}:${dirname(process.execPath)}`],
      ['127.0.0.1:3306', `127.0.0.1:${mariadb.port}`],
      ['127.0.0.1:8080', `127.0.0.1:${port}`],
      ['127.0.0.1:9100', `127.0.0.1:${adminPort}`],
      ['HCD_ADMIN_PORT=9100', `HCD_ADMIN_PORT=${adminPort}`],
      ['https://www.example.com/hooks/content', receiver.url],
      ['--apis gateway,pages,banners', `--apis gateway,pages,banners --port ${port}`],
      [' --shell /bin/bash hcd', ` --shell /bin/bash ${user}`],
      ['-o hcd -g hcd', `-o ${user} -g ${user}`],
    ];
    const adapted = (text: string) => words.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
    const path = adapted('/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin');
    // The receiver of the test is on this machine.
    const own = { HOME: site, PATH: path, HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' };
    const asService = (env: Env, command: readonly string[]) => asUser(user, env, command);
    const terminals = {
      root: openTerminal(join(root, 'terminal'), (script) => [
        'env',
        ['-i', `HOME=${join(root, 'home')}`, `PATH=${path}`, 'bash', '-c', script],
      ]),
      service: openTerminal(join(site, 'terminal'), (script) => asService(own, ['bash', '-c', script])),
    };
    const runNight = async (crontab: string) => {
      const [first = '', ...lines] = adapted(crontab).trim().split('\n');
      // Cron has its own environment, not that of a terminal.
      const env = { ...own, SHELL: '/bin/sh', PATH: first.replace('PATH=', '') };
      for (const line of lines) {
        const [, name, command = ''] = /^(?:\S+\s+){5}(\S+)\s+(.*)$/.exec(line) ?? [];
        expect(name).toBe('hcd');
        await run(...asService(env, ['sh', '-c', `cd / && ${command}`]));
      }
    };
    let shown = '';
    let crontab = '';
    for (const { kind, text } of readBlocks()) {
      if (kind === 'sh root') await terminals.root.run(adapted(text));
      else if (kind === 'sh') shown += await terminals.service.run(adapted(text));
      else if (kind === 'cron') {
        crontab = text;
        await runNight(crontab);
        expect(receiver.received).toHaveLength(1);
      } else if (kind === 'sh trial') {
        const first = await terminals.service.run(adapted(text));
        expect(first).toContain('Restored');
        await runNight(crontab);
        expect(await terminals.service.run(adapted(text))).toContain('Restored');
      } else {
        const command = ['bash', '-c', `cd ${site}; ${adapted(text).trim().replace(' hcd ', ' exec hcd ')}`];
        const server = spawn(...asService(own, command), { stdio: ['ignore', 'ignore', 'pipe'] });
        onTestFinished(async () => {
          server.kill('SIGTERM');
          expect(await once(server, 'close')).toEqual([0, null]);
        });
        await waitFor(server, 'listening on');
      }
    }
    expect(shown).toContain('"status":"ok"');
    expect(shown).toContain('Hello');
    expect(shown).toContain('Welcome to the site');
    expect(shown).toMatch(/hcd_outbox_depth\{status="\w+"/);

    const unit = await readUnit('hcd-backup.service');
    await run(...asService({ PATH: path }, ['sh', '-c', `cd ${site} && ${adapted(unit.get('ExecStart') ?? '')}`]));
    const backups = (await readdir(join(root, 'backups'))).filter((name) => /^hcd-.*\.backup$/.test(name));
    expect(backups).toHaveLength(3);
    const { uid, mode } = await stat(join(site, 'hcd.toml'));
    expect([uid, mode & 0o777]).toEqual([Number((await run('id', ['-u', user])).stdout), 0o600]);
    const used = await readFile(arguments_, 'utf8');
    expect(used).toContain('backup --dir');
    expect(used).not.toContain('a-password');
  });
});

test.each(['hcd.service', 'hcd-worker.service', 'hcd-backup.service'])(
  'the unit %s runs as the user and in the directory of docs/production.md, and keeps it closed to others',
  async (name) => {
    const unit = await readUnit(name);
    const page = readDocument('docs/production.md');
    const home = `/var/lib/${unit.get('StateDirectory')}`;
    expect(unit.get('WorkingDirectory')).toBe(home);
    expect(unit.get('StateDirectoryMode')).toBe('0700');
    expect(page).toContain(`useradd --system --user-group --home-dir ${home} --shell /bin/bash ${unit.get('User')}\n`);
    expect(page).toContain(
      `install -d -o ${unit.get('User')} -g ${unit.get('Group')} -m 0700 ${home} /var/backups/hcd\n`,
    );
    const writable = unit.get('ReadWritePaths') ?? '/var/backups/hcd';
    expect(writable).toBe('/var/backups/hcd');
  },
);
