/** Reads source files into what the architecture rules look at: imports, uses of globals, exports, test names. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix, resolve } from 'node:path';
import { parseAst } from 'vitest/node';

export const repository = resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** Path from the repository root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** Dotted names of globals as used, for example `process.env`, `console.log`, `fetch`, `new Date()`. */
  readonly uses: readonly Use[];
  readonly hasDefaultExport: boolean;
  /** Values that the file declares and exports; types come with the functions that name them. */
  readonly exports: readonly Use[];
  /** Regular expressions that are written out. */
  readonly patterns: readonly Pattern[];
}

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

export interface Import {
  /** Package or `node:` name, or for our own files the path from the repository root, ending in `.ts`. */
  readonly target: string;
  readonly own: boolean;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
  readonly line: number;
}

export interface Use {
  readonly name: string;
  readonly line: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Our files in a folder and all below it whose name passes, as paths from the repository root, in order. */
export function listFiles(folder: string, passes: (name: string) => boolean): string[] {
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.name === 'node_modules') return [];
      if (entry.isDirectory()) return listFiles(path, passes);
      return passes(entry.name) ? [path] : [];
    })
    .sort();
}

function readEntries(folder: string) {
  return readdirSync(join(repository, folder), { withFileTypes: true });
}

let program: SourceFile[] | undefined;

/** Every file of `bin`, `commands`, `src`, `migrations`, `bench` and `binary`; read once for the test files of a process. */
export function readProgram(): readonly SourceFile[] {
  program ??= parseProgram();
  return program;
}

function parseProgram(): SourceFile[] {
  const folders = ['src', 'commands', 'migrations', 'bench', 'binary'];
  const paths = folders.flatMap((folder) => listFiles(folder, (name) => name.endsWith('.ts')));
  return [...listFiles('bin', () => true), ...paths].map((path) =>
    parseSource(path, readFileSync(join(repository, path), 'utf8')),
  );
}

/** Decodes one file; `path` decides what its relative imports point to. */
export function parseSource(path: string, text: string): SourceFile {
  const nodes: Node[] = [];
  collect(parse(text), nodes);
  return {
    path,
    text,
    imports: nodes.flatMap((node) => readImport(path, text, node)),
    uses: nodes.flatMap((node) => readUse(text, node)),
    hasDefaultExport: nodes.some((node) => node.type === 'ExportDefaultDeclaration'),
    exports: nodes.flatMap((node) => readExports(text, node)),
    patterns: nodes.flatMap((node) => readPattern(text, node)),
  };
}

/** Full names (groups joined by ` > `) of the tests whose names are written out, in order. */
export function readTestNames(text: string): string[] {
  const names: string[] = [];
  collectNames(parse(text), [], names);
  return names;
}

function collectNames(node: unknown, groups: readonly string[], names: string[]): void {
  if (Array.isArray(node)) {
    for (const child of node) collectNames(child, groups, names);
  } else if (isNode(node)) {
    const called = node.type === 'CallExpression' ? dottedName(node['callee']) : undefined;
    const name = called === undefined ? undefined : firstText(node['arguments']);
    if (name !== undefined && (called === 'test' || called === 'it')) names.push([...groups, name].join(' > '));
    const inner = name !== undefined && called?.startsWith('describe') ? [...groups, name] : groups;
    for (const child of Object.values(node)) collectNames(child, inner, names);
  }
}

function firstText(list: unknown): string | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isNode(first) && first.type === 'Literal' && typeof first['value'] === 'string' ? first['value'] : undefined;
}

function parse(text: string): unknown {
  return parseAst(
    text.replace(/^#!.*/, (line) => ' '.repeat(line.length)),
    { lang: 'ts', astType: 'ts' },
  );
}

function collect(value: unknown, nodes: Node[]): void {
  if (Array.isArray(value)) {
    for (const child of value) collect(child, nodes);
  } else if (isNode(value)) {
    nodes.push(value);
    for (const child of Object.values(value)) collect(child, nodes);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

const importTypes = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'];

function readImport(path: string, text: string, node: Node): Import[] {
  const source = node['source'];
  if (!importTypes.includes(node.type) || !isNode(source) || typeof source['value'] !== 'string') return [];
  const named = source['value'];
  const own = named.startsWith('.');
  const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'].filter(isNode) : [];
  const isType = (one: Node) => one['importKind'] === 'type' || one['exportKind'] === 'type';
  return [
    {
      target: own ? ownPath(path, named) : named,
      own,
      typeOnly: isType(node) || (specifiers.length > 0 && specifiers.every(isType)),
      names: specifiers.map((one) => dottedName(one['imported'] ?? one['local']) ?? 'default'),
      line: lineOf(text, node.start),
    },
  ];
}

function readExports(text: string, node: Node): Use[] {
  const declaration = node['declaration'];
  if (node.type !== 'ExportNamedDeclaration' || !isNode(declaration)) return [];
  if (!['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration'].includes(declaration.type)) return [];
  const list = declaration['declarations'];
  const declared = Array.isArray(list) ? list.filter(isNode) : [declaration];
  return declared.flatMap((one) => {
    const name = dottedName(one['id']);
    return name === undefined ? [] : [{ name, line: lineOf(text, one.start) }];
  });
}

function readPattern(text: string, node: Node): Pattern[] {
  const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
  if (node.type !== 'Literal' || regex === undefined) return [];
  return [{ source: regex.pattern, flags: regex.flags, line: lineOf(text, node.start) }];
}

/** Sources are compiled into `dist`, and what `serve` runs into `dist/serve`, so `bin` names files there. */
function ownPath(from: string, named: string): string {
  const path = posix.normalize(posix.join(posix.dirname(from), named));
  return path
    .replace(/^dist\/serve\//, 'commands/')
    .replace(/^dist\//, '')
    .replace(/\.js$/, '.ts');
}

function readUse(text: string, node: Node): Use[] {
  const name = usedName(node);
  return name === undefined ? [] : [{ name, line: lineOf(text, node.start) }];
}

function usedName(node: Node): string | undefined {
  const callee = node['callee'];
  if (node.type === 'NewExpression' && dottedName(callee) === 'RegExp') return 'new RegExp()';
  if (node.type === 'NewExpression' && dottedName(callee) === 'Date') {
    return Array.isArray(node['arguments']) && node['arguments'].length === 0 ? 'new Date()' : undefined;
  }
  // Calls of members are seen at the member itself.
  if (node.type === 'CallExpression')
    return isNode(callee) && callee.type === 'Identifier' ? dottedName(callee) : undefined;
  return node.type === 'MemberExpression' ? dottedName(node) : undefined;
}

/** `a.b.c` of an identifier or member chain (also written `a['b']`); undefined for anything else. */
function dottedName(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type !== 'MemberExpression') return undefined;
  const [object, property] = [dottedName(node['object']), node['property']];
  if (object === undefined || !isNode(property)) return undefined;
  if (node['computed'] !== true) return `${object}.${String(property['name'])}`;
  return typeof property['value'] === 'string' ? `${object}.${property['value']}` : undefined;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** File name without folder and extension. */
export function stem(path: string): string {
  return basename(path).replace(/((\.heavy)?\.test)?\.ts$/, '');
}
