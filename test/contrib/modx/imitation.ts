/** The extra in what it uses of MODX: installed from its package, each request a process of PHP. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { buildPackage } from '../../../contrib/modx/build.mjs';
import { makeTempDir } from '../../support/temp-dir.js';

const run = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What MODX was asked to do in a request. */
export interface Told {
  readonly refreshed: readonly Readonly<Record<string, { readonly contexts?: readonly string[] }>>[];
  readonly reloaded: number;
  readonly log: readonly string[];
  /** Whether the page may be kept. */
  readonly kept: boolean;
}

export type Event = readonly [name: string, parameters?: Readonly<Record<string, unknown>>];

export interface Imitation {
  readonly root: string;
  /** Members of imitation.json. */
  set(changes: Readonly<Record<string, unknown>>): Promise<void>;
  request(...events: readonly Event[]): Promise<Told>;
  /** A failure is not tried again for a minute: this is the minute later. */
  afterPause(): Promise<void>;
}

/** Files of the built package: path below its signature, text. */
export async function readPackage(): Promise<ReadonlyMap<string, string>> {
  const archive = buildPackage(await makeTempDir('modx-package'));
  const files = Object.entries(unzipSync(await readFile(archive)));
  return new Map(files.map(([path, bytes]) => [path.slice(path.indexOf('/') + 1), new TextDecoder().decode(bytes)]));
}

export async function installImitation(databaseUrl: string, prefix: string): Promise<Imitation> {
  const root = await makeTempDir('modx');
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  for (const [path, text] of await readPackage()) {
    const [, inside] = /^xPDOFileVehicle\/[^/]+\/(.*)$/.exec(path) ?? [];
    if (inside !== undefined)
      await put(`${inside.endsWith('connector.php') ? 'assets' : 'core'}/components/${inside}`, text);
  }
  await put(
    'plugin.txt',
    (await readFile(here('../../../contrib/modx/package/plugin.php'), 'utf8')).replace('<?php', ''),
  );
  await put('core/model/modx/modx.class.php', await readFile(here('modx.class.php'), 'utf8'));
  await put('config.core.php', `<?php define('MODX_CORE_PATH', '${root}/core/'); define('MODX_CONFIG_KEY', 'config');`);
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const socket = searchParams.get('socketPath');
  const place = socket === null ? `host=${hostname};port=${port}` : `unix_socket=${socket}`;
  let config: Readonly<Record<string, unknown>> = {
    pdo: [`mysql:${place};dbname=${pathname.slice(1)}`, decodeURIComponent(username), decodeURIComponent(password)],
    prefix,
    settings: {},
    // As 2.8 has it; 3.x throws.
    errmode: 0,
  };
  const set = async (changes: Readonly<Record<string, unknown>>) => {
    config = { ...config, ...changes };
    await put('imitation.json', JSON.stringify(config));
  };
  await set({});
  return {
    root,
    set,
    request: async (...events) => {
      const words = [
        here('request.php'),
        `${root}/core/`,
        JSON.stringify(events.map(([name, more = {}]) => [name, more])),
      ];
      const { stdout } = await run('php', words);
      return JSON.parse(stdout);
    },
    afterPause: () => rm(join(root, 'core/cache/hcd/state.json'), { force: true }),
  };
}
