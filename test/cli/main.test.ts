/** The frame around a command: exit codes, errors in every form, notes, questions, stopping, closing the store. */
import { readdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../commands/command.js';
import type { Deps } from '../../commands/deps.js';
import { Interrupted } from '../../commands/exit-codes.js';
import { AppError } from '../../src/errors/app-error.js';
import { catalogue, errorCodes } from '../../src/errors/catalogue.js';
import type { Store } from '../../src/store/open/open.js';
import { type CliOptions, type CliOutcome, runCli } from '../support/cli.js';
import { fakeClock } from '../support/clock.js';
import { makeTempDir } from '../support/temp-dir.js';
import { refused } from './outcomes.js';
import { programWithProbe } from './sample-program.js';

type Run = (deps: Deps) => Promise<Result>;

function probe(run: Run, options: CliOptions & { readonly endsItself?: boolean; readonly flags?: string } = {}) {
  const { endsItself = false, flags = '', ...rest } = options;
  const program = programWithProbe((_values, deps) => run(deps), { endsItself });
  return runCli(`probe ${flags}`, { ...rest, program });
}

const nothing: Result = { kind: 'nothing' };
const fail =
  (error: unknown): Run =>
  () =>
    Promise.reject(error);
const exitCodes: Readonly<Record<string, number>> = { unavailable: 3, usage: 2, internal: 70 };

describe('an error that a command throws', () => {
  it.each(errorCodes())('%s has the exit code of its kind, in text and in JSON', async (code) => {
    const expected = exitCodes[catalogue[code].kind] ?? 1;
    const inText = await probe(fail(new AppError(code)));
    const inJson = await probe(fail(new AppError(code)), { flags: '--json' });
    expect([inText.code, inJson.code, inText.stdout]).toEqual([expected, expected, '']);
    expect(inText.stderr).toContain(`hcd: ${catalogue[code].title}`);
    expect(JSON.parse(inJson.stdout)).toEqual({ error: { code, message: catalogue[code].title, details: {} } });
  });

  it('is shown with every field and the way out', async () => {
    const fields = { alias: ['is taken'], uri: ['is taken', 'is too long'] };
    const error = new AppError('validation_failed', { message: 'The page was refused\u001b[2J', details: { fields } });
    expect(await probe(fail(error))).toEqual(
      refused('hcd: The page was refused\\u001b[2J\n  alias: is taken\n  uri: is taken\n  uri: is too long\n'),
    );
    expect(JSON.parse((await probe(fail(error), { flags: '--json' })).stdout)).toEqual({
      error: { code: 'validation_failed', message: 'The page was refused\u001b[2J', details: { fields } },
    });
  });

  it('of wrong usage points at the help of the command', async () => {
    expect(await probe(fail(new AppError('usage', { message: '--name is required' })))).toEqual(
      refused('hcd: --name is required\nSee hcd probe --help.\n', 2),
    );
  });

  it.each([
    ['an Error', new TypeError('x is not a function'), /^hcd: Internal error\nTypeError: x is not a function\n {4}at /],
    ['something else', 'text', /^hcd: Internal error\ntext\n$/],
    [
      'an error of the catalogue with its cause',
      new AppError('internal_error', { cause: new TypeError('no function \x1bMD5') }),
      /^hcd: Internal error\nThis is a bug in hcd\. Report it with the lines below\.\nAppError: Internal error\n {4}at (?:.|\n)+\nCaused by TypeError: no function \S+MD5\n$/,
    ],
  ])('that is a fault (%s) is code 70 and says where on standard error only', async (_name, error, stderr) => {
    const inText = await probe(fail(error));
    expect([inText.code, inText.stdout]).toEqual([70, '']);
    expect(inText.stderr).toMatch(stderr);
    const inJson = await probe(fail(error), { flags: '--json' });
    expect([inJson.code, JSON.parse(inJson.stdout)]).toEqual([
      70,
      { error: { code: 'internal_error', message: 'Internal error', details: {} } },
    ]);
  });

  it('is JSON on standard output when the line itself is wrong', async () => {
    expect(await runCli('qqqqqqqq --nonsense --json')).toEqual({
      code: 2,
      stdout: '{"error":{"code":"usage","message":"unknown command \\"qqqqqqqq\\"","details":{}}}\n',
      stderr: '',
    });
  });

  it('is printed with --quiet too', async () => {
    const { code, stderr } = await probe(fail(new AppError('refused', { message: 'No.' })), { flags: '--quiet' });
    expect([code, stderr]).toEqual([1, 'hcd: No.\n']);
  });
});

describe('a result', () => {
  it('may end with exit code 1', async () => {
    const result: Result = { kind: 'done', message: '2 problems.', data: { problems: 2 }, exitCode: 1 };
    expect(await probe(async () => result)).toEqual({ code: 1, stdout: '2 problems.\n', stderr: '' });
  });

  it('leaves its notes to standard error, not with --quiet', async () => {
    const result: Result = { kind: 'text', text: 'x\n', data: 'x', notes: ['One.', 'Two.'] };
    expect(await probe(async () => result)).toEqual({ code: 0, stdout: 'x\n', stderr: 'One.\nTwo.\n' });
    expect(await probe(async () => result, { flags: '--quiet' })).toEqual({ code: 0, stdout: 'x\n', stderr: '' });
    expect(await probe(async () => result, { flags: '--json' })).toEqual({
      code: 0,
      stdout: '{"data":"x"}\n',
      stderr: 'One.\nTwo.\n',
    });
  });
});

describe('stopping', () => {
  function stopped(signal: 'SIGINT' | 'SIGTERM'): AbortSignal {
    return AbortSignal.abort(new Interrupted(signal));
  }
  const never: Run = () => new Promise(() => undefined);

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves a command behind on %s', async (signal) => {
    expect(await probe(never, { stop: stopped(signal) })).toEqual({
      code: 130,
      stdout: '',
      stderr: 'hcd: interrupted\n',
    });
    expect(await probe(never, { stop: stopped(signal), flags: '--json' })).toEqual({
      code: 130,
      stdout: '{"error":{"code":"interrupted","message":"Interrupted","details":{}}}\n',
      stderr: '',
    });
  });

  it('in the middle of the work leaves it behind and closes the store', async () => {
    const controller = new AbortController();
    const store = countingStore();
    const outcome = probe(
      async (deps) => {
        await deps.openStore();
        controller.abort(new Interrupted());
        return never(deps);
      },
      { stop: controller.signal, openStore: store.open },
    );
    expect((await outcome).code).toBe(130);
    expect(store.closed).toBe(1);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 0],
  ] as const)('lets a server end by itself: %s is %i', async (signal, code) => {
    const result: Result = { kind: 'text', text: 'drained\n', data: null };
    const outcome = await probe(async (deps) => (deps.stop.aborted ? result : nothing), {
      stop: stopped(signal),
      endsItself: true,
    });
    expect(outcome).toEqual({ code, stdout: 'drained\n', stderr: '' });
  });
});

/** Stands in for the store where only opening and closing count. */
function countingStore() {
  const counts = { opened: [] as unknown[], closed: 0 };
  return Object.assign(counts, {
    async open(options: unknown): Promise<Store> {
      counts.opened.push(options);
      const store: Pick<Store, 'close'> = {
        async close() {
          counts.closed += 1;
        },
      };
      return store as Store;
    },
  });
}

describe('the store', () => {
  it('is opened as configured and closed after the command, however it ended', async () => {
    const store = countingStore();
    const cwd = await makeTempDir('cli');
    const env = {
      HCD_CONTENT_PREFIX: 'x_',
      HCD_OWN_DATABASE_URL: 'sqlite:own.sqlite',
      HCD_DATABASE_READ_URLS: 'mariadb://r@h/d',
    };
    const run: Run = async (deps) => {
      await deps.openStore();
      throw new AppError('refused');
    };
    await probe(run, { openStore: store.open, cwd, env, flags: '--database sqlite:flag.sqlite' });
    expect(store.closed).toBe(1);
    expect(store.opened).toEqual([
      {
        databaseUrl: `sqlite:${cwd}/flag.sqlite`,
        ownDatabaseUrl: `sqlite:${cwd}/own.sqlite`,
        readUrls: ['mariadb://r@h/d'],
        prefix: 'x_',
        repairEncoding: false,
      },
    ]);
  });

  it('may be another than the configured one', async () => {
    const store = countingStore();
    const target = { databaseUrl: 'sqlite:/other.sqlite', prefix: '' };
    await probe(
      async (deps) => {
        await Promise.all([deps.openStore(target), deps.openStore(target)]);
        return nothing;
      },
      { openStore: store.open },
    );
    expect([store.opened, store.closed]).toEqual([[target, target], 2]);
  });

  it('that cannot be opened for a bad configuration is exit code 3', async () => {
    const { code, stderr } = await probe(
      async (deps) => {
        await deps.openStore();
        return nothing;
      },
      { env: { HCD_PORT: 'x' } },
    );
    expect([code, stderr]).toEqual([
      3,
      [
        'hcd: The configuration is not usable',
        '  port: must be an integer from 0 to 65535, not "x" (HCD_PORT)',
        'Correct the values that the message names; hcd config show prints every value with its source.',
        '',
      ].join('\n'),
    ]);
  });
});

describe('the log', () => {
  const run: Run = async (deps) => {
    deps.log({ kind: 'settings_changed', keys: ['a'] });
    return nothing;
  };
  const asText = '09:30:00 info  settings changed keys=a\n';
  const asJson =
    '{"time":"2026-11-21T09:30:00.000Z","level":"info","event":"settings_changed","message":"settings changed","keys":["a"]}\n';

  it.each<[string, CliOptions & { readonly flags?: string }, string]>([
    ['text on a terminal', { terminal: { columns: 80 } }, asText],
    ['JSON elsewhere', {}, asJson],
    ['text when asked for', { env: { HCD_LOG_FORMAT: 'text' } }, asText],
    ['JSON when asked for', { terminal: { columns: 80 }, env: { HCD_LOG_FORMAT: 'json' } }, asJson],
    ['silent below its level', { env: { HCD_LOG_LEVEL: 'error' } }, ''],
    ['silent with --quiet', { flags: '--quiet' }, ''],
    ['JSON with a broken configuration', { env: { HCD_LOG_FORMAT: 'xml' } }, asJson],
  ])('is %s', async (_name, options, stderr) => {
    expect(await probe(run, options)).toEqual({ code: 0, stdout: '', stderr });
  });
});

describe('a question', () => {
  const terminal = { columns: 80 };
  const ask =
    (question: (deps: Deps) => Promise<unknown>): Run =>
    async (deps) => {
      const answer = await question(deps);
      return { kind: 'text', text: `${JSON.stringify(answer)}\n`, data: null };
    };
  const name = ask(({ prompt }) => prompt.text({ message: 'Name?', flag: '--name', default: 'site' }));
  const agree = ask(({ prompt }) => prompt.confirm({ message: 'Remove?', flag: '--yes' }));
  const apis = ['gateway', 'pages'] as const;
  const choose = ask(({ prompt }) =>
    prompt.choose({ message: 'Which?', flag: '--api', choices: apis, default: 'pages' }),
  );
  const many = ask(({ prompt }) =>
    prompt.chooseMany({ message: 'Which?', flag: '--apis', choices: apis, default: ['pages'] }),
  );
  const secret = ask(({ prompt }) => prompt.password({ message: 'Password?', flag: '--password-stdin' }));

  it.each<[string, Run, string, string]>([
    ['a text', name, 'shop\r', '"shop"\n'],
    ['a text left at its default', name, '\r', '"site"\n'],
    ['agreement', agree, 'y\r', 'true\n'],
    ['agreement refused by default', agree, '\r', 'false\n'],
    ['a choice left at its default', choose, '\r', '"pages"\n'],
    ['a choice one up', choose, '\u001b[A\r', '"gateway"\n'],
    ['several choices', many, ' \r', '["gateway","pages"]\n'],
    ['a password', secret, 'hunter2\r', '"hunter2"\n'],
  ])('for %s is asked on a terminal', async (_name, run, stdin, stdout) => {
    const outcome = await probe(run, { terminal, stdin });
    expect([outcome.code, outcome.stdout]).toEqual([0, stdout]);
    expect(outcome.stderr).toMatch(/Name\?|Remove\?|Which\?|Password\?/);
    expect(outcome.stderr).not.toContain('hunter2');
  });

  it.each<[string, Run, CliOptions & { readonly flags?: string }, string]>([
    ['a text takes its default', name, {}, '"site"\n'],
    ['agreement is given by --yes', agree, { flags: '--yes' }, 'true\n'],
    ['agreement is given by --yes on a terminal', agree, { flags: '--yes', terminal }, 'true\n'],
    ['a choice takes its default', choose, {}, '"pages"\n'],
    ['several choices take their default', many, { flags: '--yes', terminal }, '["pages"]\n'],
  ])('is not asked elsewhere: %s', async (_name, run, options, stdout) => {
    expect(await probe(run, options)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each<[string, Run, string, string]>([
    ['agreement in a pipe', agree, '', '--yes'],
    ['a password in a pipe', secret, '', '--password-stdin'],
    ['a password with --yes', secret, '--yes', '--password-stdin'],
    ['agreement with --json', agree, '--json', '--yes'],
  ])('without an answer is wrong usage: %s', async (_name, run, flags, flag) => {
    const outcome = await probe(run, { flags, ...(flags === '--json' ? { terminal } : {}) });
    expect(outcome.code).toBe(2);
    expect(`${outcome.stdout}${outcome.stderr}`).toContain(`${flag} is required: not a terminal, cannot prompt`);
  });

  it('that is left with Ctrl-C interrupts the command', async () => {
    const outcome = await probe(name, { terminal, stdin: '\u0003' });
    expect([outcome.code, outcome.stdout]).toEqual([130, '']);
    expect(outcome.stderr).toContain('interrupted');
  });

  it('that is left with Ctrl-D interrupts the command', async () => {
    for (const [run, typed] of [
      [name, '\u0004'],
      [agree, '\u0004'],
      [choose, '\u0004'],
      [secret, '\u0004'],
    ] as const) {
      expect((await probe(run, { terminal, stdin: typed })).code).toBe(130);
    }
  });

  it('ends when the process stops', async () => {
    const controller = new AbortController();
    const run: Run = async (deps) => {
      const answer = deps.prompt.text({ message: 'Name?', flag: '--name' });
      controller.abort(new Interrupted());
      return { kind: 'text', text: await answer, data: null };
    };
    expect((await probe(run, { terminal, stop: controller.signal, endsItself: true })).code).toBe(130);
  });
});

describe('progress', () => {
  function working(steps: readonly number[], total: number | null): { run: Run; clock: ReturnType<typeof fakeClock> } {
    const clock = fakeClock();
    return {
      clock,
      async run(deps) {
        return deps.progress('copying', async ({ update }) => {
          for (const [index, ms] of steps.entries()) {
            await clock.advance(ms);
            update(index + 1, total);
          }
          return nothing;
        });
      },
    };
  }

  const show = (
    steps: readonly number[],
    total: number | null,
    options: CliOptions & { flags?: string } = {},
  ): Promise<CliOutcome> => {
    const { run, clock } = working(steps, total);
    return probe(run, { ...options, clock });
  };
  const terminal = { columns: 80 };

  it('is silent for work shorter than a second', async () => {
    expect((await show([300, 300, 300], 3, { terminal })).stderr).toBe('');
    expect((await show([300, 300, 300], 3)).stderr).toBe('');
  });

  it('is a bar on a terminal that disappears in the end', async () => {
    const { stderr } = await show([500, 600, 50, 100], 4, { terminal });
    expect(stderr).toBe(
      `\rcopying [${'='.repeat(12)}${' '.repeat(12)}] 50 %\u001b[K\rcopying [${'='.repeat(24)}] 100 %\u001b[K\r\u001b[K`,
    );
  });

  it('never passes 100 %, although more is done than was counted', async () => {
    expect((await show([500, 600, 1100], 1, { terminal })).stderr).toContain('100 %');
    expect((await show([500, 600, 5000], 2)).stderr).toBe('copying: 2 of 2 (100 %)\n');
  });

  it('fits a narrow terminal with its share of the work', async () => {
    const { stderr } = await show([1100], 4, { terminal: { columns: 24 } });
    expect(stderr).toBe('\rcopying [==     ] 25 %\u001b[K\r\u001b[K');
    expect((await show([1100], 4, { terminal: { columns: 16 } })).stderr).toContain('\rcopying 25 %\u001b');
  });

  it('removes its bar when the process stops, and draws no other', async () => {
    const controller = new AbortController();
    const clock = fakeClock();
    const run: Run = (deps) =>
      deps.progress('copying', async ({ update }) => {
        await clock.advance(1100);
        update(1, 4);
        controller.abort(new Interrupted());
        await clock.advance(1100);
        update(2, 4);
        return nothing;
      });
    const { stderr } = await probe(run, { terminal, clock, stop: controller.signal, endsItself: true });
    expect(stderr).toBe(`\rcopying [${'='.repeat(6)}${' '.repeat(18)}] 25 %\u001b[K\r\u001b[K`);
  });

  it('is a line every five seconds elsewhere', async () => {
    expect((await show([2000, 2000, 2000, 2000, 2000, 2000], 8)).stderr).toBe(
      'copying: 3 of 8 (37 %)\ncopying: 6 of 8 (75 %)\n',
    );
    expect((await show([6000], null)).stderr).toBe('copying: 1\n');
  });

  it('is not shown with --quiet', async () => {
    expect((await show([6000, 6000], 2, { terminal, flags: '--quiet' })).stderr).toBe('');
  });
});

describe('the configuration file', () => {
  it('that is a link to nothing, or no file, is refused', async () => {
    const cwd = await makeTempDir('cli');
    symlinkSync('nowhere.toml', `${cwd}/hcd.toml`);
    const dangling = await runCli('config show', { cwd });
    expect([dangling.code, dangling.stderr.split('\n')[1]]).toEqual([
      3,
      `  ${cwd}/hcd.toml: cannot be read: it does not exist`,
    ]);
    const folder = await runCli('config show --config .', { cwd });
    expect([folder.code, folder.stderr.split('\n')[1]]).toEqual([3, `  ${cwd}: cannot be read: it is a folder`]);
  });

  it('that --config names must be there', async () => {
    const cwd = await makeTempDir('cli');
    expect(readdirSync(cwd)).toEqual([]);
    const outcome = await runCli('config show --config missing.toml', { cwd });
    expect([outcome.code, outcome.stderr.split('\n')[1]]).toEqual([
      3,
      `  ${cwd}/missing.toml: cannot be read: it does not exist`,
    ]);
  });
});
