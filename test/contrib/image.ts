/** Builds the image of contrib/container and runs it, with buildah and the namespaces of the kernel. */
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { repository } from '../architecture/source-file.js';
import { findBinaryNode } from '../package/binary-node.js';
import { findProgram } from '../support/mariadb-server.js';
import { makeTempDir } from '../support/temp-dir.js';

const run = promisify(execFile);

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: object;
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly [kind: string, ...command: string[]] };
}

export interface Image {
  readonly config: ImageConfig;
  /** The files of the image. */
  readonly root: string;
}

/** Builds the image with the files of the repository that it copies, which only their owner may read. */
export async function buildImage(sources: readonly string[]): Promise<Image> {
  const folder = await makeTempDir('image');
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const buildah = async (...words: string[]) => (await run('buildah', [...storage, ...words])).stdout.trim();
  const build = ['build', '--isolation', 'chroot', '--pull-never', '--format', 'docker'];
  const base = join(folder, 'base');
  await makeBase(base);
  await buildah(...build, '--tag', 'docker.io/library/node:24-bookworm-slim', '--file', join(base, 'Basefile'), base);
  const context = join(folder, 'context');
  for (const source of [...sources, 'contrib', '.dockerignore']) {
    await cp(join(repository, source), join(context, source), { recursive: true });
  }
  await run('chmod', ['--recursive', 'go=', context]);
  const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim();
  const file = join(context, 'contrib/container/Containerfile');
  await buildah(...build, '--volume', `${cache}:/npm-cache`, '--tag', 'hcd', '--file', file, context);
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', 'hcd'));
  const container = await buildah('from', '--pull-never', 'hcd');
  return { config: Docker.config, root: await buildah('mount', container) };
}

/**
 * What the build needs of the image of Node.js, from files of this machine: no registry may be in reach. The packages
 * come from the memory of npm.
 */
async function makeBase(base: string): Promise<void> {
  const root = join(base, 'root');
  for (const path of ['usr/bin', 'usr/local/bin', 'usr/local/lib/node_modules', 'etc', 'proc', 'dev']) {
    await mkdir(join(root, path), { recursive: true });
  }
  for (const path of ['tmp', 'npm-cache']) await mkdir(join(root, path), { mode: 0o777 });
  await symlink('usr/bin', join(root, 'bin'));
  const programs = ['sh', 'env', 'install', 'ln', 'rm', 'chmod'].map((name) => findProgram(name) ?? name);
  const node = findBinaryNode() ?? '';
  await cp(node, join(root, 'usr/local/bin/node'));
  const { stdout: natives } = await run('find', [join(repository, 'node_modules/@node-rs'), '-name', '*.node']);
  const { stdout: linked } = await run('ldd', [node, ...programs, ...natives.trim().split('\n')]);
  const libraries = [...linked.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
  for (const path of new Set([...programs, ...libraries])) await cp(path, join(root, path), { dereference: true });
  const npm = join(await realpath(findProgram('npm') ?? 'npm'), '../..');
  await cp(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name));
  }
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/tmp:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  await run('chmod', ['--recursive', 'a+rX', root]);
  const variables = 'PATH=/usr/local/bin:/usr/bin:/bin npm_config_cache=/npm-cache npm_config_offline=true';
  await writeFile(join(base, 'Basefile'), `FROM scratch\nCOPY root /\nENV ${variables}\n`);
}

export interface Container {
  /** Ends with the exit code of the program. */
  readonly outcome: Promise<{ readonly code: number | null; readonly said: string }>;
  said(): string;
  /** Sends the signal to the program, which is process 1 of the container. */
  kill(signal: string): void;
}

/** $1 is the root, $2 the volume, $3 the user, $4 the folder; then chroot and the words of the program. */
const enter = `
set -e
mount --rbind "$1" "$1"
mount -o remount,bind,ro "$1"
mount -t tmpfs tmpfs "$1/tmp"
mount --bind "$2" "$1/var/lib/hcd"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
root=$1 user=$3 folder=$4 chroot=$5
shift 5
exec setpriv --no-new-privs "$chroot" --userspec="$user" "$root" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"
`;

/**
 * Runs words in a container as a runtime does with a read-only root: as the user of the image, in a volume that the
 * image has filled, as process 1, with the network of the machine.
 */
export function startContainer(
  { config, root }: Image,
  words: readonly string[],
  { volume, env }: { readonly volume: string; readonly env: Readonly<Record<string, string>> },
): Container {
  const variables = config.Env.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]);
  const place = [root, volume, config.User, config.WorkingDir, findProgram('chroot') ?? 'chroot'];
  const flags = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh'];
  const child = spawn('unshare', [...flags, ...place, ...words], {
    env: { ...Object.fromEntries(variables), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const outcome = new Promise<{ code: number | null; said: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
  /** Process 1; 0 before there is one. */
  const first = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`));
  const kill = (signal: string): void => {
    const pid = first();
    if (pid > 0) process.kill(pid, signal);
  };
  onTestFinished(async () => {
    // A program that has become another user does not end with its parent; all that it has started ends with it.
    if (child.exitCode === null && child.signalCode === null) kill('SIGKILL');
    child.kill('SIGKILL');
    await outcome;
  });
  return { outcome, said: () => said, kill };
}
