/** The built program served to the client of the protocol's own SDK. `npm run build` must have run. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { hero, publish } from '../http/pages/published-site.js';
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
    await db.change(async (store) => {
      await publish(store, 1, [hero('Welcome')]);
    });
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
      expect(writing).toEqual(['create_resource', 'update_resource', 'edit_page', 'publish_page']);
      const changed = await client.callTool({
        name: 'update_resource',
        arguments: { id: 1, fields: { longtitle: 'Welcome' } },
      });
      expect(changed).not.toHaveProperty('isError', true);
      const read = await client.callTool({ name: 'get_resource', arguments: { id: 1, fields: 'id,longtitle' } });
      expect(JSON.parse((read.content as { text: string }[])[0]?.text ?? '')).toMatchObject({
        data: { id: 1, longtitle: 'Welcome' },
      });
      expect(read.structuredContent).toMatchObject({ data: { id: 1, longtitle: 'Welcome' } });
      // The client refuses a structured result that does not fit the schema of its tool.
      const inputs: Record<string, object[]> = {
        list_resources: [{}, { fields: 'id,parent', include: 'parent,children,tvs' }, { filter: { id: 1 }, limit: 1 }],
        get_resource: [{ id: 1 }, { uri: 'index.html', include: 'children' }],
        search: [{ text: 'Home' }],
        get_tree: [{}, { fields: 'id' }],
        get_page_document: [{ id: 1 }],
        get_page_draft: [{ id: 1 }],
        create_resource: [{ fields: { pagetitle: 'New' } }],
        update_resource: [{ id: 1, fields: { introtext: 'Hello' } }],
        edit_page: [{ id: 1, document: { schemaVersion: 1, sections: [hero('Again')] } }],
        publish_page: [{ id: 1 }],
      };
      for (const { name, outputSchema } of tools) {
        expect([name, outputSchema?.required?.length]).toEqual([name, expect.any(Number)]);
        for (const input of inputs[name] ?? [{}]) {
          const { content, isError, structuredContent } = await client.callTool({ name, arguments: { ...input } });
          const text = (content as { text: string }[])[0]?.text ?? '';
          expect([name, isError, text]).toEqual([name, undefined, text]);
          expect(structuredContent).toEqual(JSON.parse(text));
        }
      }
      const sizes = tools.map(({ outputSchema }) => JSON.stringify(outputSchema).length);
      expect(Math.max(...sizes)).toBeLessThan(16_000);
    } finally {
      await client.close();
    }
  });
});
