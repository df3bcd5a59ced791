/** `hcd preset`: arguments, what is shown in each form, every refusal. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { refused } from './outcomes.js';
import { expectTranscript } from './transcript.js';

const terminal = { columns: 120 };

describeEachDatabase('hcd preset', (kind) => {
  let db: CliDatabase;
  beforeEach(async () => {
    db = await prepareCliDatabase(await kind.url());
  });

  test('adds presets with checked values, lists and removes them', async () => {
    const line = ['preset', 'add', 'Card', '--type', 'html', '--tpl', 'card', '--max-clicks', '5', '--tags', 'a,b'];
    const card = {
      id: 1,
      name: 'Card',
      type: 'html',
      tpl: 'card',
      defaults_data: { max_clicks: 5, tags: ['a', 'b'] },
      fields: ['max_clicks', 'tags'],
    };
    expect(await db.json(line)).toEqual({ data: card });
    expect((await db.run('preset add Bare')).stderr).toBe(
      'To add a banner from it: hcd banner add --preset 2 --positions LIST\n',
    );
    expect(await db.json('preset list')).toEqual({
      data: [card, { id: 2, name: 'Bare', type: 'image', tpl: '', defaults_data: {}, fields: [] }],
      meta: { total: 2 },
    });
    expect((await db.run('preset list')).stdout).toBe('1\tCard\thtml\tcard\tmax_clicks,tags\n2\tBare\timage\t\t\n');
    expect((await db.run('preset remove Card', { terminal, stdin: 'n\n' })).code).toBe(1);
    expect(await db.json('preset remove Card --yes')).toEqual({ data: { id: 1, removed: true } });
    expect((await db.run('preset remove 2 --yes')).stdout).toBe('Removed preset 2 "Bare".\n');
    expect((await db.run('preset list', { terminal })).stderr).toBe('No presets. Add one: hcd preset add NAME\n');
  });

  test('refuses a name that is taken', async () => {
    await db.run('preset add Card');
    expect(await db.run('preset add Card')).toEqual(refused('hcd: There is a preset Card already\n'));
  });
});

describe('hcd preset', () => {
  let db: CliDatabase;
  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl());
  });

  test('refuses values that a banner would not have, and what is given with each banner', async () => {
    const line = [
      'preset',
      'add',
      'X',
      '--max-clicks',
      'many',
      '--data',
      '{"positions": [1], "color": "red"}',
      '--json',
    ];
    await expectTranscript(db, 'refused/preset-add', [line]);
  });

  test('refuses an unknown preset and wrong usage', async () => {
    await expectTranscript(db, 'refused/preset', [
      'preset remove Card --yes',
      'preset add X --type video',
      'preset add',
    ]);
  });
});
