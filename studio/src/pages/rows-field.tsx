/** Rows of fields: added, removed and put in another order. */
import type { FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { isObject, type Json, type JsonObject } from '../api.js';
import { texts } from '../texts.js';
import { Fields, Group, nameOf, type ValueProps } from './fields.js';
import { defaultsOf, firstText, moved, newId } from './page-document.js';
import { Sortable } from './sortable.js';

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
    <Group field={field} path={path}>
      <Sortable
        items={rows}
        keyOf={(row, at) => (isObject(row) && typeof row['_rowId'] === 'string' ? row['_rowId'] : String(at))}
        labelOf={labelOf}
        move={(from, to) => set(moved(rows, from, to))}
      >
        {(row, at, handle) => (
          <div class="card">
            <div class="bar">
              <span class="grip">
                {handle} <b>{labelOf(row, at)}</b>
              </span>
              <button
                type="button"
                class="small"
                aria-label={texts.writing.removeOf(labelOf(row, at))}
                onClick={() => set(rows.filter((_, other) => other !== at))}
              >
                {texts.remove}
              </button>
            </div>
            <Fields
              fields={fields}
              values={isObject(row) ? row : {}}
              path={`${path}[${at}]`}
              change={(next) => set(rows.map((one, other) => (other === at ? next : one)))}
            />
          </div>
        )}
      </Sortable>
      <button type="button" class="small" onClick={add}>
        {texts.writing.addTo(nameOf(field))}
      </button>
    </Group>
  );
}

function withoutId(row: Json): JsonObject {
  if (!isObject(row)) return {};
  const { _rowId, ...rest } = row;
  return rest;
}
