/** Whether the image of contrib/container can be built and run on this machine. */
import { spawnSync } from 'node:child_process';
import { findBinaryNode } from '../package/binary-node.js';
import { findProgram } from '../support/mariadb-server.js';

/** By root, who may mount here, with a Node.js that brings SQLite. */
export function canBuildImages(): boolean {
  const programs = ['buildah', 'unshare', 'setpriv', 'chroot', 'ldd'];
  if (process.getuid?.() !== 0 || programs.some((name) => findProgram(name) === undefined)) return false;
  const mount = ['--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'];
  return findBinaryNode() !== undefined && spawnSync('unshare', mount).status === 0;
}
