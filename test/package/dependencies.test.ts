/** What `npm ci` here and `npm install` of the package bring, read from the lock. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../architecture/source-file.js';

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly engines?: { readonly node?: string };
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const lockText = readFileSync(join(repository, 'package-lock.json'), 'utf8');
const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(lockText).packages;
// Sequelize brings it.
const semver: { satisfies(version: string, range: string): boolean } = createRequire(import.meta.url)('semver');

/** Where a package that requires `name` finds it. */
function find(from: string, name: string): string | undefined {
  const places = from.split(/(?:^|\/)node_modules\//).slice(1);
  for (let depth = places.length; depth >= 0; depth--) {
    const path = [...places.slice(0, depth), name].map((part) => `node_modules/${part}`).join('/');
    if (packages[path] !== undefined) return path;
  }
  return undefined;
}

function required(locked: LockedPackage): string[] {
  const peers = Object.keys(locked.peerDependencies ?? {});
  const needed = peers.filter((name) => locked.peerDependenciesMeta?.[name]?.optional !== true);
  return [...Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }), ...needed];
}

/** Paths of the packages that an installation for users has on Linux with an x64 processor. */
function production({ withOptional = true } = {}): Set<string> {
  const isHere = ({ os, cpu, libc }: LockedPackage) =>
    (os?.includes('linux') ?? true) && (cpu?.includes('x64') ?? true) && (libc?.includes('glibc') ?? true);
  const found = new Set<string>();
  const visit = (from: string): void => {
    const { optionalDependencies = {}, ...locked } = packages[from] ?? {};
    for (const name of required(withOptional ? { ...locked, optionalDependencies } : locked)) {
      const path = find(from, name);
      if (path === undefined || found.has(path) || !isHere(packages[path] ?? {})) continue;
      found.add(path);
      visit(path);
    }
  };
  visit('');
  return found;
}

describe('the packages', () => {
  test('are at most 185 in every installation, and few more with the driver of SQLite', () => {
    const installed = production({ withOptional: false });
    expect(installed).not.toContain('node_modules/better-sqlite3');
    expect(installed.size).toBeGreaterThan(100);
    expect(installed.size).toBeLessThanOrEqual(185);
    expect(production()).toContain('node_modules/better-sqlite3');
    expect(production().size).toBeLessThanOrEqual(221);
  });

  test.each(['@modelcontextprotocol/sdk', '@redis/client', 'sharp', 'umzug', 'typescript'])('leave out %s', (name) => {
    expect(production()).not.toContain(`node_modules/${name}`);
  });

  test('of a checkout take Node.js 20.20, so that npm warns of none', () => {
    const strict = Object.entries(packages).filter(
      ([path, { engines }]) => path !== '' && !semver.satisfies('20.20.0', engines?.node ?? '*'),
    );
    expect(strict.map(([path]) => path)).toEqual([]);
  });

  test.each(['package-lock.json', 'test/client-generators/package-lock.json'])(
    'have no address of a registry in %s',
    (file) => expect(readFileSync(join(repository, file), 'utf8')).not.toContain('"resolved": "http'),
  );
});
