/** The list of commands: files, names and texts follow one pattern. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../commands/command-line.js';
import { createProgram, loadAll } from '../../commands/program.js';
import { runCli, splitLine } from '../support/cli.js';
import { refused } from './outcomes.js';

const program = createProgram();
const commands = (await loadAll(program)).map((command) => [command.path, command] as const);
const folder = join(import.meta.dirname, '../../commands');

/** The line up to a redirection or pipe, and without the part before a pipe into hcd. */
function ownWords(line: string): string[] {
  return splitLine(line.split(/ [|>&]/)[0] ?? '');
}

describe('every command', () => {
  it.each(commands)('%s has a summary without a full stop and a description in sentences', (_path, command) => {
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(command.description).toMatch(/^[A-Z][\s\S]*\.$/);
  });

  it.each(commands)('%s has examples that it understands itself', async (path, command) => {
    expect(Object.keys(command.examples).length).toBeGreaterThanOrEqual(2);
    for (const line of Object.keys(command.examples)) {
      const invocation = await parseCommandLine(program, ownWords(line));
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

describe('the list', () => {
  it('has every command that a file defines', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const defined = files.flatMap((file) => {
      const path = file.slice(0, -'.ts'.length).replaceAll('/', ' ');
      const text = readFileSync(join(folder, file), 'utf8');
      const verbs = [...text.matchAll(/^ {2}'?([\w-]+)'?: define(?:Site)?Command\(/gm)].map(
        ([, verb]) => `${path} ${verb}`,
      );
      return /^export const command = define(?:Site)?Command\(/m.test(text) ? [path, ...verbs] : verbs;
    });
    expect(Object.keys(program.commands).sort()).toEqual(defined.sort());
  });

  it('has a summary for every group', () => {
    const groups = commands.flatMap(([path]) => [...path.matchAll(/ /g)].map(({ index }) => path.slice(0, index)));
    expect([...new Set(groups)].sort()).toEqual(Object.keys(program.groups).sort());
    for (const summary of Object.values(program.groups)) expect(summary).toMatch(/^[A-Z].*[^.]$/);
  });
});

describe('hcd help', () => {
  it('refuses words that are neither command nor topic', async () => {
    expect(await runCli('help no such')).toEqual(
      refused('hcd: WORD must be a command or topic, not "no such"\nSee hcd help --help.\n', 2),
    );
  });
});
