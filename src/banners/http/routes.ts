/** The routes of the banner API that read: one value, or pages of a list (docs/banners.md#lists). */
import type { Settings } from '../../config/settings.js';
import { type Call, type Endpoint, objectSchema, type ParameterDoc } from '../../http/interface/endpoint.js';
import { isIdText, largestUnsigned } from '../../values/unsigned.js';
import type { BannerStore } from '../management/banner-store.js';
import type { ImageAddress } from '../management/read-banners.js';
import { readScope } from './checks.js';
import { pageReply } from './envelope.js';
import {
  defaultLimit,
  fieldsDoc,
  limitParameter,
  offsetParameters,
  project,
  readFields,
  readLimit,
  readOffset,
} from './query.js';
import { listSchema, type Schema } from './schema.js';

export interface ManagementDeps {
  readonly store: BannerStore;
  readonly images: () => ImageAddress;
  readonly settings: () => Pick<Settings, 'banners_timezone' | 'banners_public_url'>;
  readonly now: () => number;
}

export const idParameter: ParameterDoc = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the record.',
  schema: { type: 'integer', minimum: 1, maximum: largestUnsigned },
  example: '1',
};

export function hasId({ id }: Readonly<Record<string, string>>): boolean {
  return id !== undefined && isIdText(id) && Number(id) <= largestUnsigned;
}

export function idOf(call: Call): number {
  return Number(call.params['id']);
}

/** `name` is also the name of the operation for generated clients. */
interface Route extends Pick<Endpoint, 'name' | 'path' | 'summary' | 'tags'> {
  readonly description: string;
}

interface ReadRoute extends Route, Pick<Endpoint, 'parameters' | 'handler'> {
  readonly type?: string;
  readonly schema: Schema;
}

export function readRoute({ description, schema, type, parameters, ...route }: ReadRoute): Endpoint {
  const ofId = route.path.includes('/:id')
    ? { exists: hasId, parameters: [idParameter, ...parameters] }
    : { parameters };
  return {
    ...route,
    ...ofId,
    method: 'GET',
    access: { kind: 'scope', scope: readScope },
    ...(type === undefined ? {} : { produces: [type] }),
    response: { status: 200, description, schema, ...(type === undefined ? {} : { type }) },
  };
}

interface ListRoute extends Route {
  /** JSON Schema of a row by member; `fields` takes their names. */
  readonly row: Readonly<Record<string, Schema>>;
  readonly parameters?: readonly ParameterDoc[];
  readonly limit?: number;
  readonly read: (
    call: Call,
    page: { readonly limit: number; readonly offset: number },
  ) => Promise<{ readonly rows: readonly object[]; readonly total: number }>;
}

export function listRoute({ row, parameters = [], limit = defaultLimit, read, ...route }: ListRoute): Endpoint {
  const members = Object.keys(row);
  return readRoute({
    ...route,
    parameters: [...parameters, limitParameter(limit), ...offsetParameters, fieldsDoc(members)],
    schema: listSchema(objectSchema(row)),
    async handler(call) {
      const fields = readFields(call, members);
      const page = { limit: readLimit(call, limit), offset: readOffset(call) };
      const { rows, total } = await read(call, page);
      const path = route.path.replace(':id', call.params['id'] ?? '');
      return pageReply(call, { route: path, rows: rows.map((one) => project(one, fields)), total, ...page });
    },
  });
}
