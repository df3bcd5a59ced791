/** Rows of fields: added, removed and put in another order. */
import type { FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { isObject, type Json, type JsonObject } from '../api.js';
import { AddButton, RemoveButton } from '../inputs.js';
import { FieldGroup } from '../parts.js';
import { Sortable } from '../sortable.js';
import { texts } from '../texts.js';
import { nameOf, useField, useProblems, type ValueProps } from './editing.js';
import { Fields } from './fields.js';
import { defaultsOf, firstText, newId } from './page-document.js';

interface RowsFieldProps extends ValueProps {
  readonly fields: readonly FieldDefinition[];
  /** Rows of repeated groups have a `_rowId`. */
  readonly hasIds: boolean;
}

export function RowsField({ field, value, path, change, fields, hasIds }: RowsFieldProps) {
  const rows: readonly Json[] = Array.isArray(value) ? value : [];
  const set = (next: readonly Json[]): void => change(next.length === 0 ? undefined : next);
  const labelOf = (row: Json, at: number): string => firstText(withoutId(row)) || texts.writing.row(at + 1);
  const add = (): void => set([...rows, { ...defaultsOf(fields), ...(hasIds ? { _rowId: newId() } : {}) }]);
  return (
    <FieldGroup {...useField(field, path)} problems={useProblems(path, false)}>
      <Sortable
        items={rows}
        keyOf={(row, at) => (isObject(row) && typeof row['_rowId'] === 'string' ? row['_rowId'] : String(at))}
        labelOf={labelOf}
        change={set}
      >
        {(row, at, handle) => (
          <div class="card">
            <div class="bar">
              <span class="grip">
                {handle} <b>{labelOf(row, at)}</b>
              </span>
              <RemoveButton label={labelOf(row, at)} remove={() => set(rows.toSpliced(at, 1))} />
            </div>
            <Fields
              fields={fields}
              values={isObject(row) ? row : {}}
              path={`${path}[${at}]`}
              change={(next) => set(rows.with(at, next))}
            />
          </div>
        )}
      </Sortable>
      <AddButton label={nameOf(field)} add={add} />
    </FieldGroup>
  );
}

function withoutId(row: Json): JsonObject {
  if (!isObject(row)) return {};
  const { _rowId, ...rest } = row;
  return rest;
}
