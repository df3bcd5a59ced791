/** The command line of `hcd db check`: what it prints on a terminal, in a pipe and as JSON, and how it ends. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { change, makeOwnStore } from '../operations/copy/stores.js';
import { type CliOptions, runCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { noted, printed } from './outcomes.js';

const surroundings: CliOptions = { openStore, clock: systemClock };

const check = (url: string, flags: readonly string[] = [], options: CliOptions = {}) =>
  runCli(['db', 'check', '--database', url, ...flags], { ...surroundings, ...options });

/** A link of a removed banner, which a repair removes, and a resource below a removed one, which it leaves. */
const damage = [
  'INSERT INTO hcd_ad_links (ad, position) VALUES (41, 42)',
  "INSERT INTO modx_site_content (id, description, alias, uri, parent) VALUES (7, '', 'a', 'a.html', 9)",
];

const orphan = {
  ...{ check: 'orphans', severity: 'warning', table: 'hcd_ad_links', key: 1 },
  ...{ detail: 'belongs to the banner 41, which does not exist', fix: 'hcd db check --repair', repaired: false },
};

describeEachDatabase('hcd db check', (database) => {
  it('says that a migrated store has no problems, and ends with 0', async () => {
    const url = await database.url();
    await makeOwnStore(url);
    expect(await check(url)).toEqual(noted('No problems found.\n'));
    expect(await check(url, ['--json', '--quiet'])).toEqual(printed('{"data":{"findings":[]}}\n'));
  });

  it('prints findings as JSON, and a repair says what it mended; the exit code is 1 while any remain', async () => {
    const url = await database.url();
    await makeOwnStore(url);
    await change(url, damage);
    const before = await check(url, ['--json']);
    expect(before.code).toBe(1);
    expect(JSON.parse(before.stdout).data.findings).toMatchObject([
      orphan,
      { ...orphan, detail: 'belongs to the position 42, which does not exist' },
      {
        check: 'parents',
        severity: 'warning',
        table: 'modx_site_content',
        key: 7,
        detail: 'the parent 9 does not exist',
      },
    ]);
    const repaired = await check(url, ['--json', '--repair']);
    expect(repaired).toMatchObject({ code: 1, stderr: '0 errors, 1 warning left, 1 repaired.\n' });
    expect(JSON.parse(repaired.stdout).data.findings).toMatchObject([
      { ...orphan, repaired: true },
      { repaired: false },
    ]);
    await change(url, ['UPDATE modx_site_content SET parent = 0 WHERE id = 7']);
    expect(await check(url)).toMatchObject({ code: 0 });
  });

  it('groups findings by check on a terminal, each with its fix', async () => {
    const url = await database.url();
    await makeOwnStore(url);
    await change(url, damage);
    const outcome = await check(url, ['--no-color'], { terminal: { columns: 80 } });
    expect(outcome.code).toBe(1);
    expect(outcome.stdout.split('\n')).toEqual([
      'warning orphans: Rows whose owner is gone',
      '  hcd_ad_links 1: belongs to the banner 41, which does not exist',
      '  hcd_ad_links 1: belongs to the position 42, which does not exist',
      '  Fix: hcd db check --repair',
      '',
      'warning parents: Resources whose parent does not exist',
      '  modx_site_content 7: the parent 9 does not exist',
      '  Fix: Move them to an existing parent or the root:',
      '    hcd resource update ID --parent 0',
      '',
    ]);
    const repaired = await check(url, ['--no-color', '--repair'], { terminal: { columns: 80 } });
    expect(repaired.stdout).toContain(
      'repaired orphans: Rows whose owner is gone\n  hcd_ad_links 1: belongs to the banner 41, which does not exist (repaired)\n\n',
    );
  });

  it('prints a line for each finding in a pipe', async () => {
    const url = await database.url();
    await makeOwnStore(url);
    await change(url, damage.slice(0, 1));
    const { stdout } = await check(url);
    expect(stdout.split('\n')[0]?.split('\t')).toEqual(Object.values(orphan).map(String));
  });

  it('names the migrations of a database without a store, and changes nothing', async () => {
    const url = await database.url();
    if (database.name === 'sqlite') await (await openStore({ databaseUrl: url, prefix: 'modx_' })).close();
    const outcome = await check(url, ['--json', '--repair']);
    expect(outcome.code).toBe(1);
    const [first] = JSON.parse(outcome.stdout).data.findings;
    expect(first).toMatchObject({
      check: 'migrations',
      severity: 'error',
      detail: 'is not applied',
      fix: 'hcd migrate',
    });
  });
});

it('is wrong usage with an argument', async () => {
  expect(await runCli('db check site.sqlite', surroundings)).toMatchObject({ code: 2 });
});
