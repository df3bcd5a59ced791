/** The tools of `hcd mcp`: what an assistant may ask, and the request or service that answers it. */
import { operatorNames } from '../../src/content/query/plan-filter.js';
import { isJsonObject, type JsonObject } from '../../src/values/json.js';
import { largestUnsigned } from '../../src/values/unsigned.js';

interface Member {
  readonly type: 'string' | 'integer' | 'object';
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly accepts?: string;
}

export type ToolInput = JsonObject;

export interface GatewayRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly members: Readonly<Record<string, Member>>;
  readonly required: readonly string[];
  readonly writes: boolean;
  readonly answer:
    | {
        readonly by: 'gateway';
        readonly operation: string;
        readonly request: (input: ToolInput) => GatewayRequest;
      }
    | { readonly by: 'service'; readonly service: ServiceName; readonly scope: string };
}

export type ServiceName = 'pages' | 'document' | 'draft' | 'types' | 'statistics' | 'publish' | 'edit';

const text = (description: string): Member => ({ type: 'string', description });
const number = (description: string, minimum = 0, maximum = largestUnsigned): Member => ({
  type: 'integer',
  description,
  minimum,
  maximum,
});
const id = number('Id of the resource', 1);
const uri: Member = {
  ...text('Address, such as about/team.html; instead of id'),
  // In an address of the gateway such parts would lead to another route.
  pattern: '^(?!(?:.*/)?[.]{1,2}(?:/|$))',
  accepts: 'an address without the parts "." and ".."',
};
const context = text('Key of the context, such as web; default: that of the site');
const fields = text('Names of fields, separated by commas; default: all');
const shortList = 'id,pagetitle,uri,parent,template,published,publishedon';
const listedFields = text(`Names of fields, separated by commas; default: ${shortList}`);
const filter: Member = {
  type: 'object',
  description: `Conditions by field or tv.NAME: a value, or values by operator, such as {"template": 4, "id": {"in": [1, 2]}}. get_schema names the fields. Operators: ${operatorNames.join(', ')}`,
};
const include = text('Relations, separated by commas, such as parent,children,tvs');
const paging = { limit: number('Most records', 1, 100), offset: number('Records to leave out at the start') };

const reads = { required: [], writes: false } as const;

const parameters: Readonly<Record<string, string>> = { parent: 'filter[parent]', text: 'search' };

function target(path: string, { filter: conditions, ...input }: ToolInput): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) query.set(parameters[name] ?? name, String(value));
  for (const [field, wanted] of Object.entries(conditions ?? {})) {
    const byOperator = isJsonObject(wanted) ? wanted : Array.isArray(wanted) ? { in: wanted } : { eq: wanted };
    for (const [operator, value] of Object.entries(byOperator))
      query.set(`filter[${field}][${operator}]`, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

function asks(operation: string, path: string, defaults: ToolInput = {}): Tool['answer'] {
  return {
    by: 'gateway',
    operation,
    request: (input) => ({ method: 'GET', path: target(path, { ...defaults, ...input }) }),
  };
}

export const tools: readonly Tool[] = Object.freeze([
  {
    ...reads,
    name: 'list_resources',
    description: 'Lists resources (pages of the site): in a folder, by conditions, in an order. Totals are in meta.',
    members: {
      parent: number('Only children of this resource; 0: those at the top'),
      filter,
      context,
      sort: text('Fields, separated by commas, "-" for descending; such as menuindex or -publishedon'),
      fields: listedFields,
      include,
      ...paging,
    },
    answer: asks('listResources', '/resources', { fields: shortList }),
  },
  {
    ...reads,
    name: 'get_resource',
    description: 'Shows one resource by its id or its address, with its content; without both the home page.',
    members: { id, uri, context, fields, include },
    answer: {
      by: 'gateway',
      operation: 'getResource',
      request: ({ id: key, uri: address = '', ...input }) => {
        const words = String(address).replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/');
        const path = key === undefined ? `/pages/${words}` : `/resources/${String(key)}`;
        return { method: 'GET', path: target(path, input) };
      },
    },
  },
  {
    ...reads,
    name: 'search',
    description:
      'Finds resources by the words of their titles and texts, the best hits first. Where none has all words, meta.left_out names those that were left out.',
    members: { text: text('Words to look for'), filter, context, fields: listedFields, ...paging },
    required: ['text'],
    answer: asks('listResources', '/resources', { fields: shortList }),
  },
  {
    ...reads,
    name: 'get_tree',
    description: 'Shows the tree of pages as a menu does.',
    members: {
      root: number('Id of the resource whose tree is wanted; 0: all'),
      depth: number('Levels', 1, 10),
      context,
      fields,
    },
    answer: asks('getResourceTree', '/tree'),
  },
  {
    ...reads,
    name: 'get_schema',
    description:
      'Shows the fields of resources and of other objects, by which they can be filtered and sorted, and tvs.',
    members: {},
    answer: asks('getSchema', '/schema'),
  },
  {
    ...reads,
    name: 'list_templates',
    description: 'Lists templates, by whose ids resources name theirs. Needs a key with the scope templates.read.',
    members: paging,
    answer: asks('listTemplates', '/templates', { fields: 'id,templatename,description' }),
  },
  {
    ...reads,
    name: 'list_section_types',
    description: 'Lists the types of sections of page documents with their fields.',
    members: {},
    answer: { by: 'service', service: 'types', scope: 'resources.read' },
  },
  {
    ...reads,
    name: 'list_pages',
    description: 'Lists published page documents: pages that are made of sections.',
    members: { context, search: text('Text in title or alias'), ...paging },
    answer: { by: 'service', service: 'pages', scope: 'resources.read' },
  },
  {
    ...reads,
    name: 'get_page_document',
    description: 'Shows the published document of a page: its sections with their values.',
    members: { id },
    required: ['id'],
    answer: { by: 'service', service: 'document', scope: 'resources.read' },
  },
  {
    ...reads,
    name: 'get_page_draft',
    description: 'Shows the draft of a page document and its revision. Needs a key with the scope resources.update.',
    members: { id },
    required: ['id'],
    answer: { by: 'service', service: 'draft', scope: 'resources.update' },
  },
  {
    ...reads,
    name: 'get_statistics',
    description:
      'Shows impressions and clicks of banners in a period, by day, with the best banners. Needs a key with the scope *.',
    members: { period: text('today, yesterday, last_7_days, this_week, last_week, this_month or last_month') },
    // Banners have no scope of their own.
    answer: { by: 'service', service: 'statistics', scope: '*' },
  },
  {
    name: 'create_resource',
    description: 'Creates a resource. It is not published unless fields say so.',
    members: {
      fields: {
        type: 'object',
        description: 'Values by name, such as pagetitle, alias, parent, content; tvs by name in tvs',
      },
    },
    required: ['fields'],
    writes: true,
    answer: {
      by: 'gateway',
      operation: 'createResource',
      request: ({ fields: body = null }) => ({ method: 'POST', path: '/resources', body }),
    },
  },
  {
    name: 'update_resource',
    description: 'Changes fields of a resource and keeps the others.',
    members: { id, fields: { type: 'object', description: 'New values by name' } },
    required: ['id', 'fields'],
    writes: true,
    answer: {
      by: 'gateway',
      operation: 'updateResource',
      request: ({ id: key, fields: body = null }) => ({ method: 'PATCH', path: `/resources/${String(key)}`, body }),
    },
  },
  {
    name: 'edit_page',
    description:
      'Saves a page document as the draft of a page; readers see it after publish_page. get_page_draft shows the one to change, list_section_types what sections may hold.',
    members: {
      id,
      document: {
        type: 'object',
        description:
          'Such as {"schemaVersion": 1, "sections": [{"type": "hero", "data": {"title": "Hello"}}]}; a section keeps its id',
      },
      revision: number('Revision of the draft that the document is based on; refused when the draft is newer'),
    },
    required: ['id', 'document'],
    writes: true,
    answer: { by: 'service', service: 'edit', scope: 'resources.update' },
  },
  {
    name: 'publish_page',
    description: 'Publishes the draft of a page document.',
    members: { id },
    required: ['id'],
    writes: true,
    answer: { by: 'service', service: 'publish', scope: 'resources.update' },
  },
]);

export function inputProblem({ members, required }: Tool, input: ToolInput): string | null {
  const missing = required.filter((name) => input[name] === undefined);
  if (missing.length > 0) return `${missing.join(' and ')} must be given`;
  for (const [name, value] of Object.entries(input)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member === undefined) return `${name} is unknown; known: ${Object.keys(members).join(', ')}`;
    const wanted = missedBy(member, value);
    if (wanted !== null) return `${name} must be ${wanted}`;
  }
  return null;
}

/** What a value should be; null for one that is so. */
function missedBy(member: Member, value: unknown): string | null {
  const { type, minimum = 0, maximum = largestUnsigned, pattern = '', accepts = 'a text' } = member;
  switch (type) {
    case 'integer':
      if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return null;
      return `a whole number from ${minimum} to ${maximum}`;
    case 'object':
      return isJsonObject(value) ? null : 'an object';
    case 'string':
      return typeof value === 'string' && new RegExp(pattern, 's').test(value) ? null : accepts;
  }
}
