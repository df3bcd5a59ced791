/** Installs a peer, and the Node that it runs on, into a folder of its own; an earlier installation is reused. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Installation, installations, nodePackage, type PeerName } from './versions.js';

export interface Installed {
  readonly folder: string;
  /** Path of the Node that runs the peer. */
  readonly node: string;
  readonly version: string;
}

const run = promisify(execFile);
const output = 64 * 1024 * 1024;

/** Throws an Error with what npm said when a step fails. */
export async function installPeer(name: PeerName, folder: string, say: (text: string) => void): Promise<Installed> {
  const nodePackages = { [nodePackage.name]: nodePackage.version };
  const node: Installation = { main: nodePackage.name, packages: nodePackages, native: [] };
  const nodeFolder = join(folder, `node-${nodePackage.version}`);
  await install(node, { folder: nodeFolder, nodeHome: undefined, say });
  const nodeHome = join(nodeFolder, 'node_modules', nodePackage.name);
  const installation: Installation = installations[name];
  const version = installation.packages[installation.main] ?? '';
  const peerFolder = join(folder, `${name}-${version}`);
  await install(installation, { folder: peerFolder, nodeHome, say });
  return { folder: peerFolder, node: join(nodeHome, 'bin/node'), version };
}

interface Place {
  readonly folder: string;
  /** Folder with `bin` and `include` of the Node that runs npm; undefined for this one. */
  readonly nodeHome: string | undefined;
  readonly say: (text: string) => void;
}

async function install({ packages, native }: Installation, { folder, nodeHome, say }: Place): Promise<void> {
  const mark = join(folder, 'installed');
  if (existsSync(mark)) return;
  say(`installing ${Object.entries(packages).map((one) => one.join(' '))} into ${folder}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const env = { ...process.env, ...(nodeHome === undefined ? {} : environmentOf(nodeHome)) };
  const npm = (...args: string[]) =>
    run('npm', [...args, '--no-audit', '--no-fund'], { cwd: folder, env, maxBuffer: output }).catch((error) => {
      throw new Error(whyNot(Object.keys(packages), error));
    });
  // Without a network npm would try again for each package, for many minutes.
  await run('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=15000'], { env }).catch((error) => {
    if (error.code === 'ENOENT' || unreachable.test(error.stderr))
      throw new Error(whyNot(Object.keys(packages), error));
  });
  await npm('install', '--ignore-scripts', '--save-exact');
  if (native.length > 0) await npm('rebuild', ...native, '--foreground-scripts');
  await writeFile(mark, '');
}

/** Codes of npm for a registry that does not answer. */
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** One sentence on why npm did not install the packages. */
export function whyNot(
  packages: readonly string[],
  error: { readonly code?: unknown; readonly stderr?: string },
): string {
  const start = `${packages.join(', ')} cannot be installed`;
  if (error.code === 'ENOENT') return `${start}: there is no npm in PATH`;
  const said = (error.stderr ?? '').split('\n').filter((line) => line.startsWith('npm error'));
  const code = unreachable.exec(said.join('\n'))?.[1];
  if (code !== undefined) {
    return `${start}: the npm registry cannot be reached (${code}); the first run needs a network, later ones do not`;
  }
  const words = said.map((line) => line.replace(/^npm error ?/, '')).filter((line) => line !== '');
  return `${start}: npm says "${words.slice(0, 3).join(' ')}"`;
}

/** npm with this Node first in the path; what has to be compiled is compiled against its headers. */
function environmentOf(nodeHome: string): Record<string, string> {
  const path = [join(nodeHome, 'bin'), process.env['PATH'] ?? ''].join(delimiter);
  return { PATH: path, npm_config_nodedir: nodeHome, NODE_ENV: '' };
}
