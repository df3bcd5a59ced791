/**
 * The cache tags that a mutation makes stale: `meta.revalidate` of its event
 * (docs/reference/gateway.md#tags-of-an-event).
 */
import { contextTag, keyTag, objectTag, uriTag } from './content-tags.js';
import type { FieldValues, Mutation, RowChange } from './mutation.js';

/**
 * Every tag once: first those of the record in their fixed order, as it is afterwards; then those of what it had before
 * and of the rows that changed with it. An answer that shows one of these rows, or depends on their sets, has at least
 * one of them among its own.
 */
export function revalidateTags(mutation: Mutation): string[] {
  const { object, key, context, uri, parent } = mutation;
  const tags = new Set([objectTag(object)]);
  if (context !== null && context !== '') tags.add(contextTag(context));
  tags.add(keyTag(object, key));
  if (uri !== null && uri !== '') tags.add(uriTag(uri));
  if (parent !== null && parent > 0) tags.add(keyTag(object, parent));
  if (object === 'resources' && mutation.action === 'deleted') tags.add('gateway:resources:list');
  for (const row of mutation.rows) {
    for (const tag of tagsOfRow(row)) tags.add(tag);
  }
  return [...tags];
}

function tagsOfRow({ object, key, before, after }: RowChange): string[] {
  const tags = [objectTag(object), keyTag(object, key)];
  for (const values of [after, before]) {
    if (values === null) continue;
    const context = values['context_key'];
    if (typeof context === 'string' && context !== '') tags.push(contextTag(context));
    const uri = values['uri'];
    if (typeof uri === 'string' && uri !== '') tags.push(uriTag(uri));
  }
  if (hasMoved(before, after)) {
    for (const values of [after, before]) {
      const parent = values?.['parent'];
      if (typeof parent === 'number' && parent > 0) tags.push(keyTag(object, parent));
    }
  }
  return tags;
}

function hasMoved(before: FieldValues | null, after: FieldValues | null): boolean {
  return before !== null && after !== null && before['parent'] !== after['parent'];
}
