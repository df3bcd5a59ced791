/** Names and values of one thing; what is null is left out. */
import type { ComponentChild } from 'preact';

export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ComponentChild])[] }) {
  return (
    <dl class="record">
      {rows.flatMap(([name, value]) => (value === null ? [] : [<dt>{name}</dt>, <dd>{value}</dd>]))}
    </dl>
  );
}
