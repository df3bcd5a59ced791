/** The built program served to the client of the protocol's own SDK. `npm run build` must have run. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';

const program = fileURLToPath(new URL('../../bin/hcd', import.meta.url));

describeEachDatabase('hcd mcp with a client of the SDK', (database) => {
  it('is found, lists its tools, reads and changes', async () => {
    const db = await prepareCliDatabase(await database.url(), async (store) => {
      await seed(store, { site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }] });
    });
    const made = (await db.json('key create --scopes *', { clock: systemClock })) as { data: { key: string } };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program, 'mcp', '--write'],
        env: { HCD_DATABASE_URL: db.url, HCD_KEY: made.data.key },
        stderr: 'ignore',
      }),
    );
    try {
      expect(client.getServerVersion()?.name).toBe('hcd');
      const { tools } = await client.listTools();
      const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name);
      expect(writing).toEqual(['create_resource', 'update_resource', 'publish_page']);
      const changed = await client.callTool({
        name: 'update_resource',
        arguments: { id: 1, fields: { longtitle: 'Welcome' } },
      });
      expect(changed).not.toHaveProperty('isError', true);
      const read = await client.callTool({ name: 'get_resource', arguments: { id: 1, fields: 'id,longtitle' } });
      expect(JSON.parse((read.content as { text: string }[])[0]?.text ?? '')).toMatchObject({
        data: { id: 1, longtitle: 'Welcome' },
      });
    } finally {
      await client.close();
    }
  });
});
