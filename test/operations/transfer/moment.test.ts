/** An export is one committed state of the site, whatever is written while it is read. */
import { expect, it } from 'vitest';
import type { Param } from '../../../src/store/base/database.js';
import { describeEachDatabase } from '../../support/databases.js';
import { seededRandom } from '../../support/seeded-random.js';
import { exportParts, fileOf, importText, type Line, migratedStore } from './transfer-store.js';

const accounts = 450;
const each = 1000;

interface Exported {
  readonly object: string;
  readonly record: { readonly snippet?: string; readonly menuindex?: number };
}

describeEachDatabase('an export while sums are transferred', (database) => {
  it('has the sums of the moment at which it began', async () => {
    const random = seededRandom('transfers during an export');
    const below = (limit: number): number => Math.floor(random() * limit);
    const url = await database.url();
    // On SQLite the export reads through the connection of its store.
    const [store, writer] = [await migratedStore(url), await migratedStore(url)];
    try {
      const lines = Array.from({ length: accounts }, (_, at): Line[] => [
        ['chunks', { name: `account ${at}`, snippet: String(each) }],
        ['resources', { context_key: 'web', uri: `account-${at}`, pagetitle: 'Account', menuindex: each }],
      ]);
      await importText(store, fileOf(...lines.flat()));
      let transfers = 0;
      const transfer = (): Promise<unknown> =>
        writer.content.write(async (tx) => {
          const [amount, from, to] = [below(50), below(accounts), below(accounts)];
          const run = (sql: string, ...params: Param[]) => tx.run({ sql, params });
          const take = 'UPDATE modx_site_htmlsnippets SET snippet = snippet - ? WHERE name = ?';
          await run(take, amount, `account ${from}`);
          await run('UPDATE modx_site_content SET menuindex = menuindex + ? WHERE uri = ?', amount, `account-${to}`);
          await run('INSERT INTO modx_site_snippets (name) VALUES (?)', `transfer ${transfers}`);
        });
      for (let round = 0; round < 3; round += 1) {
        const [before, records]: [number, Exported[]] = [transfers, []];
        for await (const part of exportParts(store)) {
          for (const line of part.split('\n').slice(0, -1)) records.push(JSON.parse(line));
          for (let count = below(4); count >= 0; count -= 1) {
            await transfer();
            transfers += 1;
          }
        }
        const of = (object: string) => records.filter((one) => one.object === object).map(({ record }) => record);
        const money = [
          ...of('chunks').map(({ snippet }) => Number(snippet)),
          ...of('resources').map(({ menuindex = 0 }) => menuindex),
        ];
        expect(money).toHaveLength(2 * accounts);
        expect(money.reduce((sum, one) => sum + one, 0)).toBe(2 * accounts * each);
        expect(of('snippets').length).toBe(before);
        expect(transfers).toBeGreaterThan(before + 5);
      }
    } finally {
      await store.close();
      await writer.close();
    }
  });
});
