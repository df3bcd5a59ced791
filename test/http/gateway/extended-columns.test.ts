/** What lists of resources can be filtered and sorted by, and what the documents say of it, with gateway_extended_columns off and on. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';

interface Lists {
  readonly filterable: readonly string[];
  readonly sortable: readonly string[];
}

const required: Lists = {
  filterable: [
    ...['id', 'parent', 'published', 'deleted', 'context_key', 'template', 'alias', 'class_key', 'hidemenu'],
    ...['isfolder', 'menuindex'],
  ],
  sortable: ['id', 'menuindex', 'pagetitle', 'createdon', 'editedon', 'publishedon'],
};
const further: Lists = {
  filterable: ['pagetitle', 'uri', 'createdon', 'editedon', 'publishedon', 'pub_date', 'unpub_date'],
  sortable: ['alias', 'class_key', 'parent', 'pub_date', 'template', 'unpub_date', 'uri'],
};
const every: Lists = {
  filterable: [...required.filterable, ...further.filterable],
  sortable: [...required.sortable, ...further.sortable],
};

interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly items?: { readonly enum?: readonly string[] } };
}

describeEachDatabase('lists of resources', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    const env = { HCD_GATEWAY_CACHE_ENABLED: '1' };
    site = await startTestSite({ databaseUrl: await database.url(), env });
    await site.fill({
      site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }],
      system_settings: [{ key: 'gateway_extended_columns', value: '0' }],
    });
  });

  const parametersOf = async (path: string): Promise<readonly Parameter[]> => {
    const { paths } = (await site.get('/meta/openapi.json')).body as {
      paths: Record<string, { get: { parameters: Parameter[] } }>;
    };
    return paths[path]?.get.parameters ?? [];
  };

  /** The columns by each document of the gateway. */
  const documented = async () => {
    const schema = (await site.get('/schema')).body as { data: { objects: { resources: Lists } } };
    const parameters = await parametersOf('/resources');
    const listed = (await site.get('/meta/endpoints')).body as {
      data: { endpoints: { name: string; parameters: Parameter[] }[] };
    };
    const described = listed.data.endpoints.find(({ name }) => name === 'resources.list')?.parameters ?? [];
    const named = (name: string) =>
      /Fields: ([\w, ]+), and tv/.exec(described.find((one) => one.name === name)?.description ?? '')?.[1]?.split(', ');
    return {
      schema: lists(schema.data.objects.resources),
      openapi: {
        filterable: parameters.flatMap(({ name }) => /^filter\[(\w+)\]$/.exec(name)?.slice(1) ?? []),
        sortable: parameters.find(({ name }) => name === 'sort')?.schema.items?.enum?.filter((one) => one[0] !== '-'),
      },
      endpoints: { filterable: named('filter'), sortable: named('sort') },
    };
  };
  const lists = ({ filterable, sortable }: Lists): Lists => ({ filterable, sortable });
  const statuses = async ({ filterable, sortable }: Lists): Promise<readonly number[]> => {
    const queries = [...filterable.map((name) => `filter[${name}]=1`), ...sortable.map((name) => `sort=-${name}`)];
    const answers = await Promise.all(queries.map((query) => site.get(`/resources?${query}`)));
    return [...new Set(answers.map(({ status }) => status))];
  };

  it('take the columns that the requirement names, and refuse every other one, by default', async () => {
    expect(await documented()).toEqual({ schema: required, openapi: required, endpoints: required });
    expect(await statuses(required)).toEqual([200]);
    expect(await statuses(further)).toEqual([422]);
    const { body } = await site.get('/resources?filter[uri]=index.html&sort=alias');
    expect(body['errors']).toEqual({
      uri: [`cannot be filtered; filterable: ${required.filterable.join(', ')}`],
      sort: [`alias cannot be sorted; sortable: ${required.sortable.join(', ')}`],
    });
  });

  it('take the further columns from the moment when gateway_extended_columns is on until it is off', async () => {
    const switchTo = (value: string) =>
      site.change([`UPDATE modx_system_settings SET value = '${value}' WHERE \`key\` = 'gateway_extended_columns'`]);
    await switchTo('1');
    expect(await documented()).toEqual({ schema: every, openapi: every, endpoints: every });
    expect(await statuses(every)).toEqual([200]);
    await switchTo('0');
    expect(await statuses(further)).toEqual([422]);
    expect(await documented()).toEqual({ schema: required, openapi: required, endpoints: required });
  });

  it('have include in OpenAPI only where the object has relations', async () => {
    const names = async (path: string) => (await parametersOf(path)).map(({ name }) => name);
    for (const path of ['/content_types', '/content_types/{id}', '/contexts', '/contexts/{key}']) {
      expect(await names(path)).not.toContain('include');
    }
    for (const path of ['/resources', '/chunks', '/categories/{id}']) expect(await names(path)).toContain('include');
  });
});
