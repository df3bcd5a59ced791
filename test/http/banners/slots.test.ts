/** Slots over HTTP: which banners a place on a page shows, in which order, and who may ask. */
import { beforeAll, describe, expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { type Answered, entry, startTrackingSite, type TrackingSite } from './tracking-site.js';

const names = (answer: Answered): unknown =>
  JSON.parse(answer.text).data?.map(({ name }: { readonly name: string }) => name) ?? answer.text;

/** Unix seconds of a Saturday, 09:30 UTC. */
const past = 1_000_000_000;
const future = 4_000_000_000;

describeEachDatabase('slots', (kind) => {
  let site: TrackingSite;
  let position = 0;
  let elsewhere = 0;

  beforeAll(async () => {
    site = await startTrackingSite(await kind.url());
    const columns = '(id, parent, pagetitle, context_key, published, description, introtext, content)';
    const rest = "'web', 1, '', '', ''";
    const pages = `(60, 0, 'Shop', ${rest}), (61, 60, 'Shoes', ${rest}), (62, 61, 'A boot', ${rest})`;
    await site.change([`INSERT INTO modx_site_content ${columns} VALUES ${pages}`]);
    position = await site.addPosition('side bar');
    elsewhere = await site.addPosition('manager only', 'mgr');
    await site.addBanner({ name: 'manager' }, [{ position: elsewhere }]);
    const add = (name: string, fields: Record<string, string | number | null>, idx: number) =>
      site.addBanner({ name, ...fields }, [{ position, idx }]);
    await add('always', { image: 'a.png', description: 'Alt', tags: '["red"]' }, 0);
    await add('html', { type: 'html', html: '<b>Hi</b>', url: '' }, 1);
    await add('inactive', { active: 0 }, 2);
    await add('over', { end: past }, 3);
    await add('to come', { start: future }, 4);
    await add('in time', { start: past, end: future, tags: '["red","blue"]' }, 5);
    await add('no hour', { show_hours: '{"days":[1,2,3,4,5,6,7],"hours":[]}' }, 6);
    await add('page', { target_resource_id: 62 }, 7);
    await add('section', { target_parent_id: 60 }, 8);
    await add('product', { product_id: 62 }, 9);
    const last = await add('category', { category_id: 60 }, 10);
    await site.seen(await site.link(last, position));
  });

  test.each([
    ['without a page: what is aimed at none', '', ['always', 'html', 'in time', 'no hour']],
    ['on the page itself', '&resource=62', ['always', 'html', 'in time', 'no hour', 'page', 'section']],
    ['below the section at any depth', '&resource=61', ['always', 'html', 'in time', 'no hour', 'section']],
    ['with the section named', '&parent=60', ['always', 'html', 'in time', 'no hour', 'section']],
    ['on the section itself, which is not below itself', '&resource=60', ['always', 'html', 'in time', 'no hour']],
    ['with a product', '&product=62', ['always', 'html', 'in time', 'no hour', 'product', 'category']],
    ['with another product of the category', '&product=61', ['always', 'html', 'in time', 'no hour', 'category']],
    ['with a product elsewhere', '&product=1', ['always', 'html', 'in time', 'no hour']],
    ['with a tag', '&tags=red', ['always', 'in time']],
    ['with one of two tags', '&tags=blue,green', ['in time']],
    ['with all of two tags', '&tags=red,blue&tags_mode=all', ['in time']],
    ['with a limit', '&limit=2', ['always', 'html']],
  ])('shows %s', async (_name, query, expected) => {
    const answer = await site.ask(
      `/slots/${position}?rotation=idx&limit=501${query}`.replace(/limit=501(.*limit)/, '$1'),
    );
    expect([answer.status, names(answer)]).toEqual([200, expected]);
  });

  test('a row has what is needed to show the banner, by id or by name, at three addresses, and no cache keeps it', async () => {
    const [[always] = []] = await site.rows("SELECT id FROM hcd_ads WHERE name = 'always'");
    const at = await site.link(Number(always), position);
    const expected = {
      ...{ id: expect.any(Number), adposition: at, position, name: 'always', type: 'image', html: null, weight: 1 },
      ...{ image: expect.stringContaining('a.png'), description: 'Alt' },
      ...{ click_url: `${site.url}/bannerclick/${at}`, impression_url: `${site.url}/bannerimpression/${at}` },
    };
    const byName = '/slots/side%20bar?';
    for (const path of [`/slots/${position}?`, byName, entry + byName, `${entry}?route=/slots/${position}&`]) {
      const answer = await site.ask(`${path}rotation=idx&limit=2`);
      expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 200, 'no-store']);
      const { data, ...envelope } = JSON.parse(answer.text);
      expect(envelope).toEqual({ success: true, total: 2 });
      expect(data[0]).toEqual(expected);
      expect(data[1]).toMatchObject({ name: 'html', type: 'html', html: '<b>Hi</b>', click_url: null });
    }
  });

  test('known, forbidden and unknown contexts answer alike where they have no position of their own', async () => {
    const ask = async (path: string) => {
      const { status, headers, text } = await site.ask(path);
      return { status, text, headers: { ...headers, date: '', 'x-request-id': '' } };
    };
    for (const at of [position, elsewhere]) {
      const known = await ask(`/slots/${at}?context=web&rotation=idx`);
      expect(known.status).toBe(200);
      for (const context of ['nowhere', 'shop', 'WEB']) {
        expect(await ask(`/slots/${at}?context=${context}&rotation=idx`)).toEqual(known);
      }
    }
    expect((await ask(`/slots/${position}?context=mgr&rotation=idx`)).text).toBe(
      (await ask(`/slots/${position}?context=nowhere&rotation=idx`)).text,
    );
  });

  test('a position of another context shows nothing there', async () => {
    expect(names(await site.ask(`/slots/${elsewhere}`))).toEqual([]);
    expect(names(await site.ask(`/slots/${elsewhere}?context=mgr`))).toEqual(['manager']);
  });

  test.each([
    ['context', 'context=a/b'],
    ['context', `context=${'a'.repeat(101)}`],
    ['limit', 'limit=0'],
    ['limit', 'limit=x'],
    ['resource', 'resource=-1'],
    ['product', 'product=1.5'],
    ['parent', 'parent=99999999999'],
    ['tags', 'tags=Red'],
    ['tags_mode', 'tags_mode=some'],
    ['rotation', 'rotation=name'],
    ['limit', 'limit=1&limit=2'],
    ['fields', 'fields=url'],
  ])('refuses %s in %j and names it', async (parameter, query) => {
    const answer = await site.ask(`/slots/${position}?${query}`);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({ success: false, message: expect.stringMatching(`^${parameter} `) });
  });

  test('fields narrows the rows, and a header has their number', async () => {
    const answer = await site.ask(`/slots/${position}?limit=1&rotation=idx&fields=weight,id`);
    const { data, total } = JSON.parse(answer.text);
    expect(data.map(Object.keys)).toEqual([['id', 'weight']]);
    expect([total, answer.headers['x-total-count']]).toEqual([1, '1']);
  });

  test('a position that there is not is 404', async () => {
    const zeros = [`/slots/0${position}`, `${entry}?route=/slots/0${position}`];
    for (const path of ['/slots/999', '/slots/nowhere', `${entry}?route=/slots/nowhere`, ...zeros]) {
      const answer = await site.ask(path);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([404, { success: false, message: 'not found' }]);
    }
  });

  test('a cap hides a banner as soon as it is reached, also by what is not written yet', async () => {
    const clock = fakeClock();
    const own = await startTrackingSite(await kind.url(), { clock });
    const there = await own.addPosition('capped');
    const ad = await own.addBanner({ name: 'twice', max_clicks: 2 }, [{ position: there }]);
    const at = await own.link(ad, there);
    const shown = async () => names(await own.ask(`/slots/${there}`));
    await clock.advance(1000);
    await own.seen(at);
    expect(await shown()).toEqual(['twice']);
    await own.ask(`/bannerclick/${at}`, { from: '192.0.2.1' });
    await own.ask(`/bannerclick/${at}`, { from: '192.0.2.1' });
    expect(await shown()).toEqual(['twice']);
    await own.ask(`/bannerclick/${at}`, { from: '192.0.2.2' });
    expect([await shown(), await own.rows('SELECT * FROM hcd_ad_days')]).toEqual([[], []]);
    // Time stood still so far: nothing was written. Now it is, and then it is read.
    await clock.advance(200);
    await eventually(async () =>
      expect(await own.rows(`SELECT clicks FROM hcd_ad_days WHERE ad = ${ad}`)).toEqual([[2]]),
    );
    expect(await shown()).toEqual([]);
    await clock.advance(1000);
    expect(await shown()).toEqual([]);
    // The banner itself stays as it is, and its address still redirects.
    expect(await own.rows(`SELECT active FROM hcd_ads WHERE id = ${ad}`)).toEqual([[1]]);
    expect((await own.ask(`/bannerclick/${at}`, { from: '192.0.2.3' })).status).toBe(302);
  });

  test('what another process recorded counts for a cap within a second', async () => {
    const clock = fakeClock();
    const own = await startTrackingSite(await kind.url(), { clock });
    const timers = clock.pending;
    /** What the slot shows after so much time of the server's clock, however long the machine takes for the reading. */
    const expectShown = async (shown: readonly string[], { after }: { readonly after: number }) => {
      // A reading that is still under way would begin its interval too late.
      await expect.poll(() => clock.pending).toBe(timers);
      await clock.advance(after);
      await eventually(async () => expect(names(await own.ask(`/slots/${there}?rotation=idx`))).toEqual(shown));
    };
    const there = await own.addPosition('capped elsewhere');
    const ad = await own.addBanner({ max_impressions: 5 }, [{ position: there }]);
    await expectShown(['A banner'], { after: 1000 });
    const count = (day: number, impressions: number) =>
      own.store.own.write((tx) =>
        tx.run({
          sql: 'INSERT INTO hcd_ad_days (day, ad, position, clicks, impressions, conversions) VALUES (?, ?, ?, 0, ?, 0)',
          params: [day, ad, there, impressions],
        }),
      );
    await count(20200101, 2);
    // What happened long ago is read with the banners.
    await own.addBanner({ name: 'other' }, [{ position: there, idx: 1 }]);
    await expectShown(['A banner', 'other'], { after: 1000 });
    await count(20261121, 3);
    await expectShown(['other'], { after: 1000 });
  });

  test('ab shows each visitor one of two, the same again by the cookie', async () => {
    const there = await site.addPosition('ab');
    const [one, two] = [
      await site.addBanner({ name: 'one' }, [{ position: there, idx: 0 }]),
      await site.addBanner({ name: 'two' }, [{ position: there, idx: 1 }]),
    ];
    const links: Record<string, number> = { one: await site.link(one, there), two: await site.link(two, there) };
    await site.seen(links['two'] ?? 0);
    const seen = new Set<string>();
    for (let visit = 0; visit < 40; visit += 1) {
      const answer = await site.ask(`/slots/${there}?rotation=ab`);
      const [name = ''] = names(answer) as string[];
      seen.add(name);
      const [cookie = ''] = answer.headers['set-cookie'] ?? [];
      expect(cookie).toBe(`banners_ab_${there}=${links[name]}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`);
      const again = await site.ask(`/slots/${there}?rotation=ab`, { headers: { cookie: cookie.split(';')[0] ?? '' } });
      expect(names(again)).toEqual([name]);
    }
    expect([...seen].sort()).toEqual(['one', 'two']);
    const forged = await site.ask(`/slots/${there}?rotation=ab`, { headers: { cookie: `banners_ab_${there}=999999` } });
    expect(names(forged)).toHaveLength(1);
    const many = await site.ask(`/slots/${position}?rotation=ab`);
    expect([names(many), many.headers['set-cookie']]).toEqual([['always', 'html', 'in time', 'no hour'], undefined]);
  });

  test('weighted puts the heavier one first as often as its weight says', async () => {
    const there = await site.addPosition('weighted');
    const light = await site.addBanner({ name: 'light' }, [{ position: there, weight: 1 }]);
    await site.addBanner({ name: 'heavy' }, [{ position: there, weight: 3 }]);
    await site.seen(await site.link(light, there));
    await eventually(async () => expect(names(await site.ask(`/slots/${there}`))).toHaveLength(2));
    let heavy = 0;
    const visits = 800;
    for (let visit = 0; visit < visits; visit += 1) {
      const [first] = names(await site.ask(`/slots/${there}?rotation=weighted&limit=1`)) as string[];
      if (first === 'heavy') heavy += 1;
    }
    // Six standard deviations around three quarters.
    expect(heavy).toBeGreaterThan(visits * 0.75 - 6 * Math.sqrt(visits * 0.1875));
    expect(heavy).toBeLessThan(visits * 0.75 + 6 * Math.sqrt(visits * 0.1875));
  });
});

describe('who may ask for slots', () => {
  test('answers without a key and to web pages of the named origins, except while the API is off', async () => {
    const site = await startTrackingSite(await freshSqliteUrl(), {
      env: { HCD_BANNERS_API_CORS_ORIGIN: 'https://site.example' },
    });
    const position = await site.addPosition('top');
    const ad = await site.addBanner({}, [{ position }]);
    await site.seen(await site.link(ad, position));
    for (const path of [`/slots/${position}`, `${entry}/slots/${position}`]) {
      const allowed = await site.ask(path, { headers: { origin: 'https://site.example', 'x-api-key': 'wrong' } });
      expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([200, 'https://site.example']);
      const foreign = await site.ask(path, { headers: { origin: 'https://evil.example' } });
      expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([200, undefined]);
      const preflight = await site.ask(path, { method: 'OPTIONS', headers: { origin: 'https://site.example' } });
      const expected = [204, 'https://site.example'];
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual(expected);
    }
    expect((await site.ask(`${entry}/ads`)).status).toBe(401);
    const off = await startTrackingSite(await freshSqliteUrl(), { env: { HCD_BANNERS_API_ENABLED: '0' } });
    for (const path of ['/slots/1', `${entry}/slots/1`]) {
      const answer = await off.ask(path);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([503, { success: false, message: 'api disabled' }]);
    }
  });
});
