/** Reads one section type for `hcd section-type show`. */
import { AppError } from '../../src/errors/app-error.js';
import { findTypeUses } from '../../src/pages/authoring/section-type-uses.js';
import { loadSectionType } from '../../src/pages/authoring/section-type-view.js';
import type { FieldDefinition } from '../../src/pages/rules/section-type.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, Result } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { definitionOf, typeRecord } from './type-record.js';

export interface ShowOptions {
  readonly key: string;
  readonly definition: boolean;
}

export async function runShow({ key, definition: isAlone }: ShowOptions, deps: Deps): Promise<Result> {
  const store = await openReady(deps);
  const view = await loadSectionType(store.own.primary, key);
  const definition = definitionOf(view);
  if (isAlone) {
    if (definition === null) throw new AppError('refused', { message: `The definition of ${key} cannot be read` });
    return { kind: 'text', text: `${JSON.stringify(definition, null, 2)}\n`, data: definition };
  }
  const pages = await findTypeUses(store.own.primary, key);
  const record: JsonRecord = {
    ...typeRecord(view),
    fields: fieldNames(view.type?.fields ?? []),
    problem: view.problem,
    pages: pages.length,
    template: view.type?.template ?? null,
    definition,
  };
  const hidden = ['definition', ...(view.problem === null ? ['problem'] : [])];
  return { kind: 'record', record, fields: Object.keys(record).filter((name) => !hidden.includes(name)) };
}

/** Such as `title*`, and `items[question*, answer*]` for rows. */
function fieldNames(fields: readonly FieldDefinition[]): readonly string[] {
  return fields.map(({ name, required, fields: inner }) => {
    const rows = inner.length === 0 ? '' : `[${fieldNames(inner).join(', ')}]`;
    return `${name}${required ? '*' : ''}${rows}`;
  });
}
