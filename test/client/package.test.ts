/** The package of the client: what is in it, how small it is, and that it compiles wherever it is used. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listFiles, repository } from '../architecture/source-file.js';
import { problemsOf } from '../operations/site-types/compile-types.js';
import { bundleClient } from './bundle.js';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const sources = listFiles('client/src', (name) => name.endsWith('.ts'));

describe('the package of the client', () => {
  const manifest = JSON.parse(read('client/package.json'));

  it('needs no other package and nothing of Node.js', () => {
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
    const imports = sources.flatMap((path) => [...read(path).matchAll(/ from '([^']+)'/g)].map(([, from]) => from));
    expect(imports.filter((from) => !from?.startsWith('./'))).toEqual([]);
  });

  it('has the version and the license of the server', () => {
    const server = JSON.parse(read('package.json'));
    expect([manifest.version, manifest.license]).toEqual([server.version, server.license]);
    expect(read('client/LICENSE')).toBe(read('LICENSE'));
  });

  it('is ready to be published once it is built', () => {
    const entries = Object.values(manifest.exports as Record<string, Record<string, string>>).flatMap(Object.values);
    const built = readdirSync(join(repository, 'client/dist')).map((name) => `./dist/${name}`);
    expect(entries.filter((path) => !built.includes(path))).toEqual([]);
  });

  it('is smaller than 6 KB when it is compressed', async () => {
    const text = await bundleClient('es');
    expect(gzipSync(text).length).toBeLessThan(6000);
    expect(brotliCompressSync(text).length).toBeLessThan(6000);
  });
});

describe('the types of the client', () => {
  const files = Object.fromEntries(
    [...sources, 'test/client/inferred.ts', 'test/client/golden/site.ts'].map((path) => [path, read(path)]),
  );
  const options = { moduleResolution: 'nodenext', module: 'nodenext' };

  it.each([
    ['in a browser', { lib: ['es2022', 'dom', 'dom.iterable'], target: 'es2022' }],
    [
      'in Node.js',
      { lib: ['es2022'], types: ['node'], typeRoots: [join(repository, 'node_modules/@types')], skipLibCheck: true },
    ],
  ])('compile under strict settings %s', async (_name, more) => {
    expect(await problemsOf({ ...files, 'package.json': '{"type":"module"}' }, { ...options, ...more })).toBe('');
  });
});
