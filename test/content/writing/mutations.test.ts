/** What the mutations of extra objects announce: the record, its context, the row before and after. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { everything } from '../../../src/content/administration/browse-content.js';
import { administrator } from '../../../src/content/live/administrator.js';
import type { Mutation } from '../../../src/content/live/mutation.js';
import { openSite } from '../../../src/content/live/site.js';
import { readChanges } from '../../../src/content/mutations/read-changes.js';
import type { ContentWriter } from '../../../src/content/mutations/run-mutation.js';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { defineObject } from '../../../src/content/objects/definition.js';
import { planWritten } from '../../../src/content/query/plan.js';
import { all } from '../../../src/content/query/predicate.js';
import { createRecord, removeRecord, updateRecord } from '../../../src/content/records/write-records.js';
import { openStore } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { flag, integer, text, time } from '../../support/fields.js';
import { patientLimits } from '../../support/patient-limits.js';
import { startTestSite } from '../../support/site.js';

const stories = defineObject({
  name: 'stories',
  table: 'stories',
  fields: {
    id: integer(),
    title: text(40),
    slug: text(40, { column: 'path' }),
    body: text(),
    added: time(),
    deleted: flag(),
    context_key: text(100),
    parent: integer(),
    uri: text(200),
  },
  filterable: ['id', 'added'],
  sortable: ['title'],
  searchable: ['slug', 'body'],
  required: ['title'],
  creatable: true,
  updatable: true,
  deletable: true,
});

/** Its numbers are given by callers. */
const slots = defineObject({
  name: 'slots',
  table: 'slots',
  primaryKey: 'number',
  fields: { number: integer(), title: text(40) },
  creatable: true,
});

describeEachDatabase('mutations of extra objects', (database) => {
  const heard: Mutation[] = [];
  let writer: ContentWriter;

  beforeAll(async () => {
    const databaseUrl = await database.url();
    await (await startTestSite({ databaseUrl })).close();
    const store = await openStore({ databaseUrl, prefix: 'modx_', limits: patientLimits });
    const counted = database.name === 'sqlite' ? 'id INTEGER PRIMARY KEY' : 'id INT AUTO_INCREMENT PRIMARY KEY';
    await store.content.write((tx) =>
      tx.run({
        sql: `CREATE TABLE modx_stories (${counted}, title VARCHAR(40) NOT NULL, path VARCHAR(40) NOT NULL, body TEXT NOT NULL, added INT NOT NULL DEFAULT 0,
          deleted TINYINT NOT NULL DEFAULT 0, context_key VARCHAR(100) NOT NULL, parent INT NOT NULL DEFAULT 0, uri VARCHAR(200) NOT NULL)`,
        params: [],
      }),
    );
    await execute(
      store.content,
      'CREATE TABLE modx_slots (number INT NOT NULL PRIMARY KEY, title VARCHAR(40) NOT NULL)',
    );
    const registry = buildRegistry([stories, slots]);
    const site = await openSite({ store, registry, env: {}, clock: systemClock, log: () => undefined, secret: 'x' });
    writer = {
      store,
      registry,
      reader: site.reader,
      live: () => site.live.current(),
      now: systemClock.now,
      listeners: { announce: async () => undefined, committed: async (mutation) => void heard.push(mutation) },
    };
    return () => store.close();
  });

  beforeEach(() => {
    heard.length = 0;
  });

  const request = (definition = stories) => {
    const caller = administrator(writer.live());
    const intent = { ...everything, preview: false, includeDeleted: false };
    return {
      writer,
      caller,
      definition,
      context: 'web',
      namesContext: false,
      readable: () => all([]),
      seal: null,
      precondition: null,
      plan: (context: string) => planWritten(intent, { definition, registry: writer.registry, caller, context }),
    };
  };

  const read = (body: object, purpose: 'create' | 'update') => {
    const reading = readChanges(body, { definition: stories, caller: administrator(writer.live()), purpose });
    if (!reading.ok) throw reading.problem;
    return reading;
  };

  const create = (body: object): Promise<string | number> =>
    createRecord({ ...request(), present: ({ key }) => key }, read(body, 'create').value);

  test('announce short fields that queries use, times in seconds, and no long text', async () => {
    const key = await create({
      title: 'One',
      slug: 'one',
      body: 'long',
      added: '2026-01-01T00:00:00Z',
      parent: 7,
      uri: 'one.html',
    });
    const row = {
      id: key,
      title: 'One',
      slug: 'one',
      added: 1_767_225_600,
      deleted: false,
      context_key: 'web',
      parent: 7,
      uri: 'one.html',
    };
    expect(heard).toEqual([
      {
        object: 'stories',
        action: 'created',
        key,
        context: 'web',
        uri: 'one.html',
        parent: 7,
        rows: [{ object: 'stories', key, before: null, after: row }],
      },
    ]);
  });

  test('announce a row before and after its change', async () => {
    const key = await create({ title: 'Two', uri: 'two.html' });
    const reading = read({ title: 'Second', uri: 'second.html', added: null }, 'update');
    await updateRecord({ ...request(), key, present: () => null }, reading);
    const [, mutation] = heard;
    expect([mutation?.action, mutation?.uri]).toEqual(['updated', 'second.html']);
    expect(mutation?.rows).toEqual([
      {
        object: 'stories',
        key,
        before: expect.objectContaining({ title: 'Two', uri: 'two.html', added: null }),
        after: expect.objectContaining({ title: 'Second', uri: 'second.html', added: null }),
      },
    ]);
  });

  test('announce what a removal leaves: the marked row, or nothing', async () => {
    const key = await create({ title: 'Three', uri: 'three.html' });
    const present = ({ permanent }: { permanent: boolean }) => permanent;
    expect(await removeRecord({ ...request(), key, force: false, present })).toBe(false);
    expect(await removeRecord({ ...request(), key, force: true, present })).toBe(true);
    expect(heard.slice(1).map(({ action, context, uri, rows }) => ({ action, context, uri, rows }))).toEqual([
      {
        action: 'deleted',
        context: 'web',
        uri: 'three.html',
        rows: [
          {
            object: 'stories',
            key,
            before: expect.objectContaining({ deleted: false }),
            after: expect.objectContaining({ deleted: true }),
          },
        ],
      },
      {
        action: 'deleted',
        context: 'web',
        uri: 'three.html',
        rows: [{ object: 'stories', key, before: expect.objectContaining({ deleted: true }), after: null }],
      },
    ]);
  });

  test('that are refused are never announced', async () => {
    const key = await create({ title: 'Four' });
    const refuse = () => {
      throw new Error('refused');
    };
    const reading = read({ title: 'Not this' }, 'update');
    await expect(
      updateRecord({ ...request(), key, precondition: refuse, present: () => null }, reading),
    ).rejects.toThrow('refused');
    await expect(updateRecord({ ...request(), key, present: refuse }, reading)).rejects.toThrow('refused');
    expect(heard.length).toBe(1);
    const rows = await writer.store.content.primary.select({
      sql: 'SELECT title FROM modx_stories WHERE id = ?',
      params: [key],
    });
    expect(rows.map(([title]) => title)).toEqual(['Four']);
  });

  test('have keys that a path can name', async () => {
    const add = (number: number) => {
      const body = readChanges(
        { number, title: 'x' },
        { definition: slots, caller: administrator(writer.live()), purpose: 'create' },
      );
      if (!body.ok) throw body.problem;
      return createRecord({ ...request(slots), present: ({ key }) => key }, body.value);
    };
    expect([await add(0), await add(7)]).toEqual([0, 7]);
    await expect(add(-5)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { fields: { number: ['must not be negative: no path could name the record'] } },
    });
  });
});
