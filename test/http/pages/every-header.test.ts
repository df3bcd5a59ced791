/** No header of a request gets into an answer to another one, and none opens a page to a caller without a token. */
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { sendRaw } from '../../support/raw-socket.js';
import { linesWithoutCaller } from '../../support/request-headers.js';
import { hero, startPublishedSite } from './published-site.js';
import { entry } from './token-site.js';

describeEachDatabase('pages and headers of others', (database) => {
  it('gives a page to its token only, and always the same page', async () => {
    const { site, token, resources, publish } = await startPublishedSite({
      databaseUrl: await database.url(),
      env: { HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' },
    });
    await resources({ id: 1, pagetitle: 'Home', alias: 'home', uri: 'home' });
    await publish(1, [hero()]);
    const withToken = `Authorization: Bearer ${token}`;
    const ask = async (...lines: readonly string[]) => {
      const host = lines.some((line) => line.startsWith('Host:')) ? [] : ['Host: localhost'];
      const bytes = `${[`GET ${entry}?path=/pages/home HTTP/1.1`, ...host, ...lines].join('\r\n')}\r\n\r\n`;
      const { status, body } = await sendRaw({ port: Number(new URL(site.url).port), bytes });
      return { status, body };
    };
    const page = await ask(withToken);
    const refused = await ask();
    expect([page.status, refused.status]).toEqual([200, 401]);
    for (const line of linesWithoutCaller) {
      await ask(withToken, line);
      // Some headers make a request unusable; none makes it one that is answered.
      const { status, body } = await ask(line);
      expect([status >= 400, body.includes('Home')], line).toEqual([true, false]);
      expect(await ask(), line).toEqual(refused);
      expect(await ask('Authorization: Bearer wrong'), line).toMatchObject({ status: 401 });
      expect(await ask(withToken), line).toEqual(page);
    }
  });
});
