/** Planned publication and withdrawal: which rows are due, what is announced, and two workers at once. */
import { beforeEach, expect, it } from 'vitest';
import type { Mutation } from '../../../src/content/live/mutation.js';
import { makeReportRefused, publishScheduled } from '../../../src/content/resources/publish-scheduled.js';
import type { Observation } from '../../../src/log/observation.js';
import { describeEachDatabase } from '../../support/databases.js';
import { openResourceSite, type ResourceSite } from './resource-site.js';

const columns = ['published', 'publishedon', 'publishedby', 'pub_date', 'unpub_date', 'editedon'];

describeEachDatabase('planned publication', (kind) => {
  let site: ResourceSite;
  let told: Mutation[];
  let stop: AbortController;
  beforeEach(async () => {
    site = await openResourceSite({ databaseUrl: await kind.url() });
    // The first resource is the home page, which is always published.
    await site.create({ pagetitle: 'Home' });
    told = [];
    stop = new AbortController();
  });
  const publish = () =>
    publishScheduled(
      {
        ...site.writer,
        listeners: { announce: async () => {}, committed: async (mutation) => void told.push(mutation) },
      },
      stop.signal,
    );
  const make = async (values: Record<string, number | boolean>) => {
    const { key } = await site.create({
      pagetitle: `Page ${Math.floor(site.now)} ${JSON.stringify(values)}`,
      ...values,
    });
    return Number(key);
  };

  it('publishes on the planned date, without touching author and editor', async () => {
    const id = await make({ pub_date: site.now + 60 });
    expect(await publish()).toEqual({ published: 0, withdrawn: 0, refused: [] });
    site.now += 60;
    // As in the CMS a date is due once it has passed.
    expect(await publish()).toEqual({ published: 0, withdrawn: 0, refused: [] });
    site.now += 1;
    expect(await publish()).toEqual({ published: 1, withdrawn: 0, refused: [] });
    expect(await site.row(id, columns)).toEqual({
      ...{ published: 1, publishedon: site.now - 1, publishedby: 0, pub_date: 0, unpub_date: 0, editedon: 0 },
    });
    expect(await publish()).toEqual({ published: 0, withdrawn: 0, refused: [] });
    expect(told).toEqual([
      expect.objectContaining({ object: 'resources', action: 'updated', key: id, context: 'web', parent: 0 }),
    ]);
    expect(told[0]?.rows).toEqual([
      {
        object: 'resources',
        key: id,
        before: expect.objectContaining({ published: false }),
        after: expect.objectContaining({ published: true }),
      },
    ]);
  });

  it('withdraws on the planned date and clears both dates', async () => {
    const id = await make({ published: true, unpub_date: site.now + 10 });
    site.now += 11;
    expect(await publish()).toEqual({ published: 0, withdrawn: 1, refused: [] });
    expect(await site.row(id, columns)).toEqual({
      ...{ published: 0, publishedon: 0, publishedby: 0, pub_date: 0, unpub_date: 0, editedon: 0 },
    });
  });

  it('withdraws what was to be visible in the meantime only', async () => {
    const id = await make({ pub_date: site.now + 10, unpub_date: site.now + 20 });
    site.now += 15;
    expect(await publish()).toEqual({ published: 1, withdrawn: 0, refused: [] });
    site.now += 15;
    expect(await publish()).toEqual({ published: 0, withdrawn: 1, refused: [] });
    const missed = await make({ pub_date: site.now + 10, unpub_date: site.now + 20 });
    site.now += 30;
    expect(await publish()).toEqual({ published: 0, withdrawn: 1, refused: [] });
    for (const one of [id, missed])
      expect(await site.row(one, ['published', 'pub_date'])).toEqual({ published: 0, pub_date: 0 });
  });

  it('takes every due resource, however many, and ends when it is stopped', async () => {
    await site.execute(
      ...Array.from({ length: 450 }, (_, at) => {
        const values = `'Many ${at}', '', 'many-${at}', 'many-${at}.html', ${site.now - 5}`;
        return `INSERT INTO modx_site_content (pagetitle, description, alias, uri, pub_date) VALUES (${values})`;
      }),
    );
    expect(await publish()).toEqual({ published: 450, withdrawn: 0, refused: [] });
    await site.execute(`UPDATE modx_site_content SET unpub_date = ${site.now - 5} WHERE alias LIKE 'many-%'`);
    stop.abort();
    expect(await publish()).toEqual({ published: 0, withdrawn: 0, refused: [] });
  });

  it('does the others when the database refuses one of them, and says so', async () => {
    const refused = await make({ pub_date: site.now + 10 });
    const others = [await make({ pub_date: site.now + 11 }), await make({ pub_date: site.now + 12 })];
    await site.execute(
      kind.name === 'sqlite'
        ? `CREATE TRIGGER no_change BEFORE UPDATE ON modx_site_content WHEN OLD.id = ${refused} BEGIN SELECT RAISE(ABORT, 'no'); END`
        : `CREATE TRIGGER no_change BEFORE UPDATE ON modx_site_content FOR EACH ROW BEGIN IF OLD.id = ${refused} THEN SIGNAL SQLSTATE '45000'; END IF; END`,
    );
    site.now += 100;
    const log: Observation[] = [];
    const reportRefused = makeReportRefused((fact) => log.push(fact));
    const first = await publish();
    expect(first).toMatchObject({
      published: 2,
      refused: [{ resource: refused, error: { code: 'validation_failed' } }],
    });
    reportRefused(first.refused);
    reportRefused((await publish()).refused);
    const refusal = { kind: 'resource_plan_refused', resource: refused, problem: expect.any(String) };
    expect(log).toEqual([refusal]);
    expect(told.map(({ key }) => key)).toEqual(others);
    expect((await site.row(refused, ['published']))?.['published']).toBe(0);
    await site.execute('DROP TRIGGER no_change');
    const last = await publish();
    expect(last).toEqual({ published: 1, withdrawn: 0, refused: [] });
    reportRefused(last.refused);
    // A new refusal is reported again, and a fault of the program with its stack.
    const error = new TypeError('a fault of the program');
    reportRefused([...first.refused, { resource: 7, error }]);
    expect(log).toEqual([
      refusal,
      refusal,
      { kind: 'unexpected_error', during: 'publishing a resource on its date', error },
    ]);
  });

  it('is done once by two workers at the same time', async () => {
    for (let at = 0; at < 20; at += 1) await make({ pub_date: site.now + 1 + at });
    site.now += 100;
    const done = await Promise.all([publish(), publish()]);
    expect(done.reduce((sum, { published }) => sum + published, 0)).toBe(20);
    expect(told).toHaveLength(20);
  });
});
