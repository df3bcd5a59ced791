/**
 * The store compiled to JavaScript in a temporary folder, for tests that need it in other processes: Node runs no
 * TypeScript. It also shows that the compiled form finds its thread file.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeTempDir } from '../support/temp-dir.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folder into which `src/` was compiled. */
export async function buildStore(): Promise<string> {
  const folder = await makeTempDir('built');
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const config = {
    extends: join(root, 'tsconfig.build.json'),
    compilerOptions: {
      noCheck: true,
      sourceMap: false,
      rootDir: root,
      outDir: folder,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [],
    files: [join(root, 'src/store/open/open.ts'), join(root, 'src/store/sqlite/statement-thread.js')],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  return folder;
}

export interface Child {
  /** The next line that the program prints. */
  line(): Promise<string>;
  /** Resolves with the exit code. */
  readonly end: Promise<number | null>;
}

/** Runs a program of the built store; `program` is the body of a module with `db` open on `url`. */
export async function startProgram(options: { built: string; url: string; program: string }): Promise<Child> {
  const file = join(options.built, `program-${process.hrtime.bigint()}.js`);
  await writeFile(
    file,
    `import { openDatabase } from './src/store/open/open.js';
     const db = await openDatabase({ url: ${JSON.stringify(options.url)} });
     try { ${options.program} } finally { await db.close(); }`,
  );
  const child: ChildProcess = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    end: new Promise((done) => child.once('close', done)),
    async line() {
      const next = await lines.next();
      return next.done === true ? '' : next.value;
    },
  };
}
