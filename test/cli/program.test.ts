/** The list of commands: files, names and texts follow one pattern. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../commands/command-line.js';
import { createProgram } from '../../commands/program.js';
import { allNodes } from '../../commands/tree.js';
import { runCli, splitLine } from '../support/cli.js';

const program = createProgram();
const commands = program.commands.map((command) => [command.path, command] as const);

/** The line up to a redirection or pipe, and without the part before a pipe into hcd. */
function ownWords(line: string): string[] {
  return splitLine(line.split(/ [|>&]/)[0] ?? '');
}

describe('every command', () => {
  it.each(commands)('%s lives in the file of its path', (path) => {
    // A command that needs several files has a folder, and in it a file of its own name.
    const words = path.split(' ');
    const places = [words, [...words, words.at(-1)]].map(
      (parts) => new URL(`../../commands/${parts.join('/')}.ts`, import.meta.url),
    );
    expect(places.filter((place) => existsSync(place))).toHaveLength(1);
  });

  it.each(commands)('%s has a summary without a full stop and a description in sentences', (_path, command) => {
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(command.description).toMatch(/^[A-Z][\s\S]*\.$/);
  });

  it.each(commands)('%s has examples that it understands itself', (path, command) => {
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    for (const { line } of command.examples) {
      const invocation = parseCommandLine(program, ownWords(line));
      expect(invocation.kind === 'run' ? invocation.command.path : invocation).toBe(path);
    }
  });

  it.each(commands)('%s describes its arguments and flags, none of which shadows a global flag', (_path, command) => {
    const globals = ['database', 'config', 'json', 'quiet', 'noColor', 'yes', 'help', 'version'];
    for (const [name, parameter] of Object.entries({ ...command.arguments, ...command.options })) {
      expect(parameter.description).toMatch(/^[A-Z].*[^.]$/);
      expect(globals).not.toContain(name);
    }
  });
});

describe('the tree', () => {
  it('has every command once and a summary for every group', () => {
    const paths = program.commands.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const groups = allNodes(program).filter((node) => node.kind === 'group');
    expect(groups.map(({ path }) => path).sort()).toEqual(program.groups.map(({ path }) => path).sort());
    for (const { summary } of program.groups) expect(summary).toMatch(/^[A-Z].*[^.]$/);
  });
});

describe('hcd help', () => {
  it('refuses words that are neither command nor topic', async () => {
    expect(await runCli('help no such')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'hcd: WORD must be a command or topic, not "no such"\nSee hcd help --help.\n',
    });
  });
});
