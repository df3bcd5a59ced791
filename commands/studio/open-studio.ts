/** Runs Studio until it is stopped or has been idle. */
import { spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maskDatabaseUrl } from '../../src/config/address-values.js';
import { noteCommand } from '../../src/gateway/audit/manage-audit.js';
import { listen } from '../../src/http/server/server.js';
import type { Store } from '../../src/store/open/open.js';
import type { Result } from '../command.js';
import { createDeps, type Deps } from '../deps.js';
import { aborted, type Host } from '../host.js';
import { createProgram } from '../program.js';
import { writeJson } from '../streams.js';
import { loopback } from '../webhook/listen-server.js';
import { describeCommands, isReading } from './describe-commands.js';
import { answerRun, type RunAnswer, type RunRequest } from './run-command.js';
import { StudioSession } from './session.js';
import { studioApp } from './studio-app.js';

interface StudioOptions {
  readonly port: number;
  readonly opens: boolean;
  readonly isReadOnly: boolean;
  readonly idleMs: number;
}

export async function openStudio({ port, opens, isReadOnly, idleMs }: StudioOptions, deps: Deps): Promise<Result> {
  const { config } = deps.loadConfig();
  const offering = { program: createProgram(), isReadOnly };
  const ended = new AbortController();
  const host: Host = { ...deps.host, stop: AbortSignal.any([deps.stop, ended.signal]), writer: 'studio' };
  // One of each command that runs.
  setMaxListeners(0, host.stop);
  const running = { ...offering, host, flags: deps.flags };
  const startIdle = () => deps.clock.after(idleMs, () => ended.abort());
  let idle = startIdle();
  const audit = auditOf({ ...deps, writer: host.writer });
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 600_000 });
  const { port: at } = await listen(server, { host: loopback, port });
  const session = new StudioSession(at);
  const app = studioApp({
    session,
    about: { version: deps.version, read_only: isReadOnly, database: maskDatabaseUrl(config.database) },
    filesDir: config.files_dir,
    noteUse() {
      idle.stop();
      idle = startIdle();
    },
    async commands() {
      const { deps: own, close } = createDeps(host, {
        io: deps.io,
        flags: { ...deps.flags, yes: true },
        version: deps.version,
      });
      try {
        return await describeCommands(offering, own);
      } finally {
        await close();
      }
    },
    async run(request: RunRequest) {
      const started = deps.clock.elapsed();
      const answer = await answerRun(request, running);
      await audit(answer, deps.clock.elapsed() - started);
      return answer;
    },
  });
  server.on('request', app.callback());
  const url = `http://${loopback}:${at}/#${session.token}`;
  if (deps.flags.json) writeJson(deps.io.stdout, { url, token: session.token });
  else deps.io.stdout.write(`${url}\n`);
  const page = opens ? await openBrowser(url, deps) : null;
  await aborted(AbortSignal.any([deps.stop, ended.signal]));
  idle.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await page?.remove();
  return { kind: 'nothing', hasWritten: true, notes: [ended.signal.aborted && 'Studio ended: it was not used.'] };
}

/** Writes a row for each command that may change something. Never rejects. */
function auditOf(deps: Deps) {
  let opened: Promise<Store> | null = null;
  return async ({ command, line, status }: RunAnswer, durationMs: number): Promise<void> => {
    if (command === null || isReading(command)) return;
    try {
      opened ??= deps.openStore();
      await noteCommand(await opened, { identity: deps.writer, line, status, durationMs });
    } catch (error) {
      opened = null;
      deps.log({ kind: 'unexpected_error', during: 'writing the audit log', error });
    }
  };
}

/** Other users see the words of a command line, but not this file. */
async function openBrowser(url: string, { io }: Deps): Promise<{ remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hcd-studio-'));
  const page = join(folder, 'open.html');
  const text = `<!doctype html><meta charset="utf-8"><title>hcd studio</title><meta http-equiv="refresh" content="0; url=${url}">`;
  await writeFile(page, text, { mode: 0o600 });
  const [command, ...words] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...words, page], { stdio: 'ignore', detached: true });
  child.on('error', () => io.stderr.write('No browser could be opened. Open the address above.\n'));
  child.unref();
  return { remove: () => rm(folder, { recursive: true, force: true }) };
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
