/** The image file of contrib/container, step by step in a folder, and what its compose files name. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../commands/program.js';
import { configDefinitions, variableOf } from '../../src/config/definitions.js';
import { settingDefinitions } from '../../src/config/settings.js';
import { startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';
import { canBuildImages } from './can-build-images.js';
import { buildImage, type Image, startContainer } from './image.js';
import { contribPath } from './proxied-site.js';

const run = promisify(execFile);
const root = resolve(contribPath('..'));
const variables = new Set(Object.keys({ ...configDefinitions, ...settingDefinitions }).map(variableOf));

interface Stage {
  readonly lines: readonly string[];
  readonly values: (instruction: string) => string[];
}

/** The stages of the file, each instruction on one line. */
async function readStages(): Promise<[build: Stage, image: Stage]> {
  const text = await readFile(contribPath('container/Containerfile'), 'utf8');
  const lines = text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const starts = lines.flatMap((line, at) => (line.startsWith('FROM ') ? [at] : []));
  expect(starts).toHaveLength(2);
  const stage = (from: number, to?: number): Stage => {
    const own = lines.slice(from, to);
    const values = (name: string) =>
      own.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
    return { lines: own, values };
  };
  return [stage(0, starts[1]), stage(starts[1] ?? 0)];
}

/** Sources and target of a COPY. */
function copyOf(value: string): { readonly sources: string[]; readonly target: string; readonly isBuilt: boolean } {
  const words = value.split(' ');
  const isBuilt = words[0] === '--from=build';
  const paths = isBuilt ? words.slice(1) : words;
  return { sources: paths.slice(0, -1), target: paths.at(-1) ?? '', isBuilt };
}

describe('contrib/container/Containerfile', () => {
  it('copies only what the repository has and the list of ignored files lets through', async () => {
    const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n');
    const stages = await readStages();
    const sources = stages.flatMap((stage) => stage.values('COPY').map(copyOf)).filter(({ isBuilt }) => !isBuilt);
    for (const source of sources.flatMap((copy) => copy.sources)) {
      expect(existsSync(join(root, source)), source).toBe(true);
      expect(ignored, source).not.toContain(source);
    }
  });

  it('runs as a user that is not root, names signals, and sets only variables that exist', async () => {
    const [, image] = await readStages();
    expect(image.values('USER')).toEqual(['node']);
    expect(image.values('STOPSIGNAL')).toEqual(['SIGTERM']);
    const names = image.values('ENV').flatMap((value) => [...value.matchAll(/(HCD_\w+)=/g)].map(([, name]) => name));
    expect(names).toHaveLength(3);
    expect(names.filter((name = '') => !variables.has(name))).toEqual([]);
  });

  it('serves from the files that it copies, is healthy, and ends with SIGTERM', async () => {
    const [, image] = await readStages();
    const folder = await makeTempDir('image');
    for (const { sources, target, isBuilt } of image.values('COPY').map(copyOf)) {
      for (const source of sources) {
        const name = isBuilt ? source.replace(/^\/build\//, '') : source;
        const from = join(root, name);
        const to = join(folder, target.endsWith('/') ? join(target, name) : target);
        await mkdir(dirname(to), { recursive: true });
        await (source.endsWith('node_modules') ? symlink(from, to) : cp(from, to, { recursive: true }));
      }
    }
    const work = join(folder, 'var/lib/hcd');
    await mkdir(work, { recursive: true });
    const admin = String(await freePort());
    const env = { HCD_ADMIN_PORT: admin, HCD_PORT: '0', HCD_SECRET: 'a secret of this test only' };
    const server = startCli('serve', { cwd: work, env, program: join(folder, 'opt/hcd/bin/hcd') });
    onTestFinished(() => server.kill('SIGKILL'));
    await server.waitForStderr('listening on');
    const [, command = ''] = /CMD (\[.*\])$/.exec(image.values('HEALTHCHECK')[0] ?? '') ?? [];
    const [program = '', ...words] = JSON.parse(command) as string[];
    const check = (port: string) => run(program, words, { env: { ...process.env, HCD_ADMIN_PORT: port } });
    await check(admin);
    await expect(check(String(await freePort()))).rejects.toMatchObject({ code: 1 });
    server.kill('SIGTERM');
    expect((await server.outcome).code).toBe(0);
  });
});

describe.skipIf(!canBuildImages())('the image', () => {
  let image: Image;

  beforeAll(async () => {
    const stages = await readStages();
    const copied = stages.flatMap((stage) => stage.values('COPY').map(copyOf)).filter(({ isBuilt }) => !isBuilt);
    image = await buildImage(copied.flatMap(({ sources }) => sources));
  });

  /** Runs commands of the image on a volume, as the server and the worker of the compose files do. */
  async function makeSite() {
    const volume = join(await makeTempDir('volume'), 'data');
    await run('cp', ['--archive', join(image.root, 'var/lib/hcd'), volume]);
    const port = await freePort();
    const adminPort = await freePort();
    const env = { HCD_PORT: String(port), HCD_ADMIN_PORT: String(adminPort), HCD_SECRET: 'a secret of this test only' };
    const start = (words: readonly string[], more = {}) =>
      startContainer(image, words, { volume, env: { ...env, ...more } });
    return {
      url: `http://127.0.0.1:${port}`,
      start: (words: readonly string[], more = {}) => start([...image.config.Entrypoint, ...words], more),
      checkHealth: async () => (await start(image.config.Healthcheck.Test.slice(1)).outcome).code,
    };
  }

  it('holds what the program needs, for its user to read', async () => {
    const { root: files, config } = image;
    expect(config).toMatchObject({ User: 'node', StopSignal: 'SIGTERM', Volumes: { '/var/lib/hcd': {} } });
    expect(await readdir(join(files, 'opt/hcd'))).toEqual([
      ...['LICENSE', 'assets', 'bin', 'dist', 'node_modules', 'package.json'],
    ]);
    const packages = await readdir(join(files, 'opt/hcd/node_modules'));
    expect(packages).toEqual(
      expect.arrayContaining(['@modelcontextprotocol', '@redis', 'koa', 'mariadb', 'sequelize']),
    );
    for (const other of ['better-sqlite3', 'typescript', 'vitest']) expect(packages).not.toContain(other);
    const unreadable = await run('find', [
      join(files, 'opt'),
      '!',
      '-perm',
      '-444',
      '-o',
      '-type',
      'd',
      '!',
      '-perm',
      '-555',
    ]);
    expect(unreadable.stdout).toBe('');
  });

  it.each([
    ['one process', '1'],
    ['two processes', '2'],
  ])('serves in %s with a read-only root, is healthy, and ends with the signal', async (_name, workers) => {
    const { url, start, checkHealth } = await makeSite();
    expect(await checkHealth()).toBe(1);
    expect(await start(['demo', '--yes', '--quiet']).outcome).toMatchObject({ code: 0 });
    const server = start(image.config.Cmd, { HCD_WORKERS: workers });
    await expect.poll(server.said).toContain('listening on');
    expect(await checkHealth()).toBe(0);
    const session = { username: 'editor', password: 'wrong' };
    const headers = { 'Content-Type': 'application/json' };
    const refused = await fetch(`${url}/api/v1/auth/session`, {
      method: 'POST',
      headers,
      body: JSON.stringify(session),
    });
    expect(refused.status).toBe(401);
    server.kill(image.config.StopSignal);
    expect(await server.outcome).toMatchObject({ code: 0 });
  });

  it('runs the worker on the volume of the server', async () => {
    const { start, checkHealth } = await makeSite();
    expect(await start(['migrate', '--yes']).outcome).toMatchObject({ code: 0 });
    const worker = start(['worker']);
    await expect.poll(checkHealth).toBe(0);
    worker.kill(image.config.StopSignal);
    expect(await worker.outcome).toMatchObject({ code: 0 });
  });
});

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly restart?: string;
  readonly init?: boolean;
  readonly network_mode?: string;
  readonly ports?: readonly string[];
}

describe.each(['compose.sqlite.yaml', 'compose.mariadb.yaml'])('contrib/container/%s', (name) => {
  async function readServices() {
    const file = parse(await readFile(contribPath(`container/${name}`), 'utf8'));
    const services: Readonly<Record<string, Service>> = file.services;
    return { services, volumes: Object.keys(file.volumes) };
  }

  it('runs commands of hcd in read-only containers with variables that exist', async () => {
    const { services } = await readServices();
    const own = Object.values(services).filter(({ image }) => image === 'hcd');
    expect(own.filter(({ build }) => build !== undefined)).toHaveLength(1);
    for (const { command = 'serve', environment = {}, read_only, cap_drop, build } of own) {
      expect(createProgram().commands).toHaveProperty(command);
      expect(Object.keys(environment).filter((variable) => !variables.has(variable))).toEqual([]);
      expect(environment.HCD_SECRET).toContain('?');
      expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] });
      const context = join(contribPath('container'), build?.context ?? '../..');
      if (build !== undefined) expect(existsSync(join(context, build.dockerfile))).toBe(true);
    }
  });

  it('refers only to services, volumes and files that exist', async () => {
    const { services, volumes } = await readServices();
    for (const service of Object.values(services)) {
      for (const other of Object.keys(service.depends_on ?? {})) expect(Object.keys(services)).toContain(other);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('../')) expect(existsSync(join(contribPath('container'), source)), source).toBe(true);
        // Certificates are those of the operator.
        else if (!source.startsWith('./certificates/')) expect(volumes).toContain(source);
      }
    }
  });

  it('keeps the network of a service that shares one when any other of them starts again', async () => {
    const { services } = await readServices();
    const holders = Object.values(services).flatMap(({ network_mode: mode }) => mode?.replace('service:', '') ?? []);
    for (const holder of new Set(holders)) {
      const { command, image, network_mode, restart, init } = services[holder] ?? {};
      // It has no work, waits for nothing and shares the network of no other service.
      expect({ command, isOurs: image === 'hcd', network_mode, restart, init }).toEqual({
        ...{ command: 'sleep infinity', isOurs: false, network_mode: undefined, restart: 'unless-stopped', init: true },
      });
      expect(Object.keys(services[holder]?.depends_on ?? {})).toEqual([]);
    }
    // A service without a network of its own cannot publish a port.
    for (const { network_mode, ports } of Object.values(services)) {
      if (network_mode !== undefined) expect(ports).toBeUndefined();
    }
  });
});
