/** Things that were chosen, by their names: moved and removed, and more of them chosen in a dialog. */
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import type { Json } from '../api.js';
import { RemoveButton } from '../inputs.js';
import { FieldGroup } from '../parts.js';
import { Sortable } from '../sortable.js';
import { useField, type ValueProps } from './editing.js';

interface ChosenListProps extends ValueProps {
  readonly nameOf: (one: Json) => string;
  /** Before the name. */
  readonly picture?: (one: Json) => ComponentChild;
  /** Of the button that opens the dialog. */
  readonly choose: string;
  readonly dialog: (given: { close: () => void; choose: (one: Json) => void }) => ComponentChild;
}

export function ChosenList({ field, value, path, change, nameOf, picture, choose, dialog }: ChosenListProps) {
  const [isPicking, setPicking] = useState(false);
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  const set = (next: readonly Json[]): void => change(next.length === 0 ? undefined : next);
  return (
    <FieldGroup {...useField(field, path)}>
      <Sortable items={list} keyOf={(one, at) => `${nameOf(one)} ${at}`} labelOf={nameOf} change={set}>
        {(one, at, handle) => (
          <div class="file">
            {handle} {picture?.(one)} <span class="grow">{nameOf(one)}</span>
            <RemoveButton label={nameOf(one)} remove={() => set(list.toSpliced(at, 1))} />
          </div>
        )}
      </Sortable>
      <button type="button" class="small" onClick={() => setPicking(true)}>
        {choose}
      </button>
      {isPicking ? dialog({ close: () => setPicking(false), choose: (one) => set([...list, one]) }) : null}
    </FieldGroup>
  );
}
