/** What a preview of a resource would show (docs/previews.md#what-a-token-shows), before the preview is made. */
import { AppError } from '../../errors/app-error.js';
import type { ShapeIntent } from '../query/ast.js';
import type { Caller } from '../query/authorize.js';
import { planRead } from '../query/plan.js';
import { readRecord } from './read-record.js';
import type { ContentReader } from './select-rows.js';

interface Previewed {
  readonly caller: Caller;
  readonly context: string;
  readonly resource: number;
}

/** Null when the preview would not show the resource. */
export async function uriInPreview(
  reader: ContentReader,
  { caller, context, resource }: Previewed,
): Promise<string | null> {
  const { userId } = caller.identity;
  const asPreview: Caller = {
    ...caller,
    identity: { kind: 'preview', id: '', userId, context, resource, draftRevision: null },
  };
  const { registry } = reader;
  const plan = planRead({ ...onlyUri, context }, { definition: registry.resources, registry, caller: asPreview });
  const found = await readRecord(reader, { plan, key: resource, caller: asPreview }).catch(orNull);
  return found === null ? null : String(found['uri'] ?? '');
}

const onlyUri: ShapeIntent = {
  context: null,
  fields: ['uri'],
  relationFields: new Map(),
  include: [],
  tvPaths: [],
  tvs: null,
  tvRecords: [],
  form: null,
  preview: false,
  includeDeleted: false,
};

function orNull(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
