/** Compiles TypeScript as the strictest of readers would: every strict check on, nothing else at hand. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeTempDir } from '../../support/temp-dir.js';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

const compilerOptions = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022'],
  types: [],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
};

/** What the compiler says of the files, by their names; nothing for files in order. */
export async function problemsOf(
  files: Readonly<Record<string, string>>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const folder = await makeTempDir('types');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const configuration = {
    compilerOptions: { ...compilerOptions, ...options },
    files: Object.keys(files).filter((name) => name.endsWith('.ts')),
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  return run(process.execPath, [compiler, '--pretty', 'false'], { cwd: folder, env: {}, maxBuffer: 1 << 26 }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
}
