/** First half of every command: a line becomes options, or exactly one refusal that names every problem. */
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../commands/command-line.js';
import { AppError } from '../../src/errors/app-error.js';
import { splitLine } from '../support/cli.js';
import { sampleProgram } from './sample-program.js';

const noFlags = {
  database: undefined,
  config: undefined,
  json: false,
  quiet: false,
  noColor: false,
  yes: false,
};

const noOptions = {
  name: 'a',
  items: [],
  scopes: ['x'],
  maxClicks: undefined,
  kind: undefined,
  expires: undefined,
  since: undefined,
  active: undefined,
  file: undefined,
  tag: [],
  inactive: false,
  noWait: false,
};

/** The options of a line as its command reads them. */
async function optionsOf(words: readonly string[]): Promise<unknown> {
  const invocation = await parseCommandLine(sampleProgram, words);
  return invocation.kind === 'run' ? invocation.command.bind(invocation.texts).options : null;
}

/** What a line means: the options of `box add` and the global flags, or the text of the refusal. */
async function meaningOf(line: string): Promise<unknown> {
  try {
    const invocation = await parseCommandLine(sampleProgram, splitLine(line));
    if (invocation.kind !== 'run') return invocation;
    return {
      path: invocation.command.path,
      options: invocation.command.bind(invocation.texts).options,
      flags: invocation.flags,
    };
  } catch (error) {
    if (error instanceof AppError && error.code === 'usage') return error.message;
    throw error;
  }
}

const add = (options: object, flags: object = {}) => ({
  path: 'box add',
  options: { ...noOptions, ...options },
  flags: { ...noFlags, ...flags },
});

describe('a command line', () => {
  it.each([
    ['required values only', 'box add a --scopes x', add({})],
    ['the other word for the verb', 'box create a --scopes x', add({})],
    ['a value after an equals sign', 'box add a --scopes=x,y', add({ scopes: ['x', 'y'] })],
    ['several arguments', 'box add a 1 2 --scopes x', add({ items: [1, 2] })],
    ['a flag between arguments', 'box add a --scopes x 1 2', add({ items: [1, 2] })],
    ['quoted text', 'box add "a b" --scopes x', add({ name: 'a b' })],
    ['words after --', 'box add --scopes x -- --json', add({ name: '--json' })],
    ['a number with hyphenated flag', 'box add a --scopes x --max-clicks 9', add({ maxClicks: 9 })],
    ['a choice', 'box add a --scopes x --kind round', add({ kind: 'round' })],
    ['a duration', 'box add a --scopes x --expires 90d', add({ expires: 7_776_000 })],
    ['a time', 'box add a --scopes x --since 2026-11-21', add({ since: 1_795_219_200 })],
    ['a boolean with a value', 'box add a --scopes x --active 0', add({ active: false })],
    ['a file', 'box add a --scopes x --file ./f.json', add({ file: './f.json' })],
    ['a repeated flag', 'box add a --scopes x --tag one --tag two', add({ tag: ['one', 'two'] })],
    ['switches', 'box add a --scopes x --inactive --no-wait', add({ inactive: true, noWait: true })],
    ['an empty text for an optional list element', 'box add a --scopes x --tag=one', add({ tag: ['one'] })],
    [
      'global flags before the command',
      '--json --database sqlite:x --config c.toml box add a --scopes x',
      add({}, { json: true, database: 'sqlite:x', config: 'c.toml' }),
    ],
    [
      'global flags after the command',
      'box add a --scopes x --quiet --no-color --yes --database sqlite:y',
      add({}, { quiet: true, noColor: true, yes: true, database: 'sqlite:y' }),
    ],
    [
      'a switch given twice',
      'box add a --scopes x --json --json --inactive --inactive',
      add({ inactive: true }, { json: true }),
    ],
    ['a command below two groups', 'box label list', { path: 'box label list', options: {}, flags: noFlags }],
    ['nothing', '', { kind: 'help', path: '' }],
    ['--help', '--help', { kind: 'help', path: '' }],
    ['-h of a group', 'box -h', { kind: 'help', path: 'box' }],
    ['a group alone', 'box', { kind: 'help', path: 'box' }],
    ['a group in a group alone', 'box label --quiet', { kind: 'help', path: 'box label' }],
    ['--help of a command', 'box add --help', { kind: 'help', path: 'box add' }],
    ['--help of the other word for the verb', 'box create --help', { kind: 'help', path: 'box add' }],
    ['--help before the command', '--help box add', { kind: 'help', path: 'box add' }],
    ['--version', '--version', { kind: 'version' }],
    ['-V after a command', 'box add -V', { kind: 'version' }],
  ])('with %s is understood', async (_name, line, meaning) => {
    expect(await meaningOf(line)).toEqual(meaning);
  });

  it.each([
    ['an unknown command', 'bax add', 'unknown command "bax"; did you mean box?'],
    ['an unknown command like no other', 'xylophone', 'unknown command "xylophone"'],
    ['an unknown verb', 'box ad', 'unknown command "ad"; did you mean add?'],
    ['a missing verb with --json', 'box --json', '"hcd box" requires a command'],
    ['a missing verb below two groups with --json', 'box label --json', '"hcd box label" requires a command'],
    ['a wrong verb', 'box xylophone', 'unknown command "xylophone"'],
    ['no command but --json', '--json', '"hcd" requires a command'],
    ['an unknown flag', 'box add a --scope x', 'unknown flag "--scope"; did you mean --scopes?'],
    ['an unknown flag with a value, which may be a secret', 'box add a --password=hidden', 'unknown flag "--password"'],
    ['an unknown global flag', '--jsno box add', 'unknown flag "--jsno"; did you mean --json?'],
    ['a flag without its value', 'box add a --scopes', '--scopes requires a value: LIST'],
    ['an argument where there is none', 'box label list x', 'takes no arguments'],
    [
      'a database without a scheme',
      'box label list --database u:hidden@h/d',
      '--database must be sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB (mysql:// too, ?socketPath= for a socket), not "u:***@h/d"',
    ],
    ['all required values missing', 'box add', 'NAME is required; --scopes is required'],
    [
      'an empty list',
      'box add a --scopes ""',
      '--scopes must be a comma list, each element a text that is not empty, not ""',
    ],
    [
      'several bad values',
      'box add a x --scopes b --max-clicks 10 --kind oval --expires 90',
      'ITEM must be an integer from 0 to 99, not "x"; --max-clicks must be an integer from 0 to 9, not "10"; --kind must be one of round, square, not "oval"; --expires must be a duration such as 90s, 15m, 12h or 90d, not "90"',
    ],
    ['a value flag given twice', 'box add a --scopes x --scopes y', '--scopes can be given only once'],
    ['a global value flag given twice', 'box label list --config a --config b', '--config can be given only once'],
    [
      'an invalid database URL',
      'box label list --database postgres://u:hidden@h/d',
      '--database must be sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB (mysql:// too, ?socketPath= for a socket), not "postgres://u:***@h/d"',
    ],
  ])('with %s is refused', async (_name, line, message) => {
    expect(await meaningOf(line)).toBe(message);
  });

  it('takes a negative number as a value, not as a flag', async () => {
    expect(await meaningOf('box add a -1 --scopes x')).toBe('ITEM must be an integer from 0 to 99, not "-1"');
    expect(await meaningOf('box add a --scopes x --max-clicks -1')).toBe(
      '--max-clicks must be an integer from 0 to 9, not "-1"',
    );
  });

  it('lists the problems by flag for programs', async () => {
    await expect(optionsOf(['box', 'add'])).rejects.toThrow(
      expect.objectContaining({
        code: 'usage',
        details: { fields: { NAME: ['is required'], '--scopes': ['is required'] } },
      }),
    );
  });
});
