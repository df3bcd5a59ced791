/** `hcd section-type`: what is shown, imported and removed, in every form of output, with every refusal. */
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { basicSections } from '../pages/rules/section-types.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { printed, refused } from './outcomes.js';
import { expectTranscript, steady } from './transcript.js';

const note = {
  key: 'note',
  version: 2,
  label: 'Note',
  category: 'content',
  categories: ['layout'],
  fields: [
    { name: 'text', type: 'textarea', label: 'Text', required: true },
    {
      name: 'links',
      type: 'repeater',
      label: 'Links',
      fields: [{ name: 'label', type: 'text', label: 'Label', required: true }],
    },
  ],
  template: '<p>{{ data.text }}</p>',
};
const hero = basicSections[0]?.definition;
const heroPage = { schemaVersion: 1, sections: [{ type: 'hero', data: { title: 'x' } }] };

describeEachDatabase('hcd section-type', (database) => {
  let db: CliDatabase;
  const take = (given: unknown, flags = '') =>
    db.run(`section-type import - ${flags}`, { stdin: JSON.stringify(given) });

  beforeEach(async () => {
    db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, { site_content: [{ id: 1, uri: 'index.html' }] }),
    );
  });

  test('list shows the shipped types, those of the site and those that are hidden', async () => {
    await take([note, { ...note, key: 'faq', label: 'Our questions' }]);
    await db.run('section-type remove spacer --yes');
    await expectTranscript(db, 'section-type-list', ['section-type list', 'section-type list --json'], { steady });
    const terminal = await db.run('section-type list', { terminal: { columns: 200 }, env: { NO_COLOR: '' } });
    expect(terminal.stdout.split('\n')[0]).toMatch(/KEY.*VERSION.*LABEL.*CATEGORY.*STATE.*CHANGED_ON.*FIELDS/);
    expect(terminal.stdout).toContain('\u001b[2mhidden\u001b[22m');
  });

  test('show prints fields, uses and template, or the definition as imported', async () => {
    await take(note);
    const lines = ['section-type show note --json', 'section-type show note'];
    await expectTranscript(db, 'section-type-show', lines, { steady });
    expect((await db.run('section-type show note --definition')).stdout).toBe(`${JSON.stringify(note, null, 2)}\n`);
    expect(await db.json('section-type show hero --definition')).toEqual({ data: hero });
  });

  test('import takes one or many, says what became of each, and checks without changing', async () => {
    expect(await take(note, '--dry-run')).toEqual({
      ...printed('note\t2\t\tadded\n'),
      stderr: 'Nothing was changed.\n',
    });
    expect(await take([note, { ...note, key: 'hero' }])).toEqual(printed('note\t2\t\tadded\nhero\t2\t1\treplaced\n'));
    expect(await take({ ...note, version: 1 })).toEqual({
      code: 0,
      stdout: 'note\t1\t2\treplaced\n',
      stderr:
        'note changes from version 2 to the older version 1: sections of the newer version can no longer be saved.\n',
    });
    expect((await take([{ ...note, version: 1 }, hero])).stdout).toBe('note\t1\t1\tunchanged\nhero\t1\t2\trestored\n');
  });

  test('import refuses a wrong definition by every problem', async () => {
    const { code, stdout, stderr } = await take([note, { ...note, key: 'other', template: '{% for %}', colour: 1 }]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('hcd: The section types cannot be imported: 2 problems\n');
    expect(stderr).toContain('  [1].colour: ');
    expect(stderr).toContain('  [1].template: ');
    expect(await db.json('section-type list')).toMatchObject({ meta: { total: 12 } });
  });

  test('remove keeps types that pages use, hides shipped ones and says how they come back', async () => {
    await db.run('page edit 1 --file - --publish', { stdin: JSON.stringify(heroPage) });
    expect(await db.run('section-type remove hero --yes')).toEqual(
      refused(
        'hcd: Section type hero is on 1 page (1): their sections could no longer be rendered. --force removes it nevertheless\n',
      ),
    );
    const back = 'hcd section-type show hero --definition | hcd section-type import -';
    expect(await db.run('section-type remove hero --force --yes')).toEqual({
      code: 0,
      stdout: 'Hid the shipped section type hero.\n',
      stderr: `1 page has sections that can no longer be rendered.\nTo restore it: ${back}\n`,
    });
    expect(await db.json('section-type remove hero --yes')).toEqual({
      data: { key: 'hero', outcome: 'was hidden', pages: [] },
    });
    const types = async () => {
      const { data } = (await db.json('doctor')) as { data: { check: string; state: string; detail: string }[] };
      return data.filter(({ check }) => check === 'section-types').map(({ state, detail }) => [state, detail]);
    };
    expect(await types()).toEqual([['warning', 'the section type hero is hidden, and 1 page uses it: 1']]);
    const { stdout } = await db.run('section-type show hero --definition');
    expect((await db.run('section-type import -', { stdin: stdout })).stdout).toBe('hero\t1\t\trestored\n');
    expect(await types()).toEqual([['ok', '12 section types']]);
    await take([note, { ...note, key: 'hero' }]);
    expect((await db.run('section-type remove note --yes')).stdout).toBe('Removed section type note.\n');
    expect((await db.run('section-type remove hero --yes')).stdout).toBe(
      'Removed the definition of this site. The shipped section type hero applies again.\n',
    );
  });

  test('reports a definition that can no longer be read everywhere', async () => {
    await take(note);
    await db.sql('UPDATE hcd_section_types SET definition = ?', [['{"key": "note"}']]);
    expect(await db.json('section-type show note')).toMatchObject({
      data: { state: 'unreadable', problem: expect.stringContaining('label'), definition: null },
    });
    expect(await db.run('section-type show note --definition')).toMatchObject({
      code: 1,
      stderr: 'hcd: The definition of note cannot be read\n',
    });
    const { data } = (await db.json('doctor')) as { data: { check: string; state: string; detail: string }[] };
    expect(data.filter(({ check }) => check === 'section-types')).toMatchObject([
      { state: 'error', detail: expect.stringMatching(/^the section type note cannot be read: label/) },
    ]);
  });
});

describe('hcd section-type, refused', () => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl());
  });

  it.each([
    ['show', 'section-type show'],
    ['remove', 'section-type remove'],
  ])('%s rejects an invalid key, and a key that no type has', async (_name, line) => {
    expect(await db.run(`${line} Hero`)).toMatchObject({
      code: 2,
      stderr: `hcd: KEY must be the key of a section type such as hero, not "Hero"\nSee hcd ${line} --help.\n`,
    });
    expect(await db.run(`${line} hera --yes`)).toEqual(
      refused('hcd: There is no section type "hera"; did you mean "hero"?\n'),
    );
    expect(await db.json(`${line} unheard-of --yes`)).toMatchObject({
      error: { code: 'not_found', message: 'There is no section type "unheard-of"; hcd section-type list shows all' },
    });
  });

  it('import says what is wrong with a file', async () => {
    expect(await db.run('section-type import')).toMatchObject({ code: 2 });
    expect(await db.run('section-type import types.json', { cwd: '/nowhere' })).toMatchObject({
      code: 1,
      stderr: 'hcd: /nowhere/types.json cannot be read\n',
    });
    expect((await db.run('section-type import -', { stdin: 'x' })).stderr).toMatch(
      /^hcd: The standard input is not valid JSON/,
    );
    expect(await db.json('section-type import -', { stdin: '[]' })).toEqual({ data: [], meta: { total: 0 } });
  });
});
