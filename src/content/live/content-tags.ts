/** Texts of cache tags (docs/gateway.md#caching), shared by answers and events. */

import { trimOf } from '../../values/text.js';
import type { Mutation, RowChange } from './mutation.js';

/** Of the files of the site, which are no object of the gateway. */
export const mediaObject = 'media';

function encodeTag(text: string): string {
  return text.replace(/[^A-Za-z0-9\-._~/:]+/g, (signs) =>
    Buffer.from(signs).toString('hex').toUpperCase().replace(/../g, '%$&'),
  );
}

export function keyTag(object: string, key: string | number): string {
  return `gateway:${object}:${typeof key === 'number' ? key : encodeTag(key)}`;
}

export function uriTag(uri: string): string {
  return `gateway:uri:${encodeTag(trimOf(uri, '/'))}`;
}

/** Represents everything that depends on the set of the object's rows. */
export function objectTag(object: string): string {
  return `gateway:${object}`;
}

export function contextTag(context: string): string {
  return `gateway:context:${encodeTag(context)}`;
}

/** Each tag once: of the record, its former values, then other changed rows. Every affected answer has one. */
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

export function tagsOfRow({ object, key, before, after }: RowChange): string[] {
  const tags = [objectTag(object), keyTag(object, key)];
  const sides = [after ?? [], before ?? []].flat();
  for (const { context_key: context, uri } of sides) {
    if (typeof context === 'string' && context !== '') tags.push(contextTag(context));
    if (typeof uri === 'string' && uri !== '') tags.push(uriTag(uri));
  }
  if (before !== null && after !== null && before['parent'] !== after['parent']) {
    for (const { parent } of sides) if (typeof parent === 'number' && parent > 0) tags.push(keyTag(object, parent));
  }
  return tags;
}
