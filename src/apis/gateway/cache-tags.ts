/** Cache tags of answers (contract 1.7, 4.4): the rows shown, and the set when the answer depends on a set. */
import type { ObjectDefinition, Registry } from '../../objects/definition.js';
import type { RecordJson } from '../../services/select-rows.js';

const plain = /^[A-Za-z0-9\-._~/:]*$/;

/** Percent-encodes (UTF-8) whatever is not `A-Za-z0-9-._~/:`. */
export function encodeTag(text: string): string {
  if (plain.test(text)) return text;
  return encodeURIComponent(text)
    .replace(/%2F/g, '/')
    .replace(/%3A/g, ':')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Tags of one row: `gateway:<object>:<key>` and, where it has one, `gateway:uri:<uri>`. */
export function rowTags(definition: ObjectDefinition, key: string | number, record: RecordJson): string[] {
  const tags = [`gateway:${definition.name}:${encodeTag(String(key))}`];
  const uri = record['uri'];
  if (definition.name === 'resources' && typeof uri === 'string' && uri !== '') tags.push(uriTag(uri));
  return tags;
}

export function uriTag(uri: string): string {
  return `gateway:uri:${encodeTag(uri.replace(/^\/+|\/+$/g, ''))}`;
}

/** Tags of an answer that depends on which rows there are. */
export function setTags(definition: ObjectDefinition, context: string): string[] {
  return [`gateway:${definition.name}`, `gateway:context:${encodeTag(context)}`];
}

/** Tags of an answer: its rows, the rows that relations show, and the set where the answer depends on one. */
export function answerTags(
  registry: Registry,
  definition: ObjectDefinition,
  answer: {
    readonly context: string;
    readonly rows: readonly { readonly key: string | number; readonly record: RecordJson }[];
    /** The answer depends on which rows there are. */
    readonly isSet: boolean;
  },
): string[] {
  const tags = new Set(answer.isSet ? setTags(definition, answer.context) : []);
  const collect = (current: ObjectDefinition, key: string | number, record: RecordJson): void => {
    for (const tag of rowTags(current, key, record)) tags.add(tag);
    for (const relation of current.relations) {
      const target = registry.get(relation.target);
      const value = record[relation.name];
      if (!target || typeof value !== 'object' || value === null) continue;
      if (relation.type === 'to_many') for (const tag of setTags(target, answer.context)) tags.add(tag);
      for (const related of Array.isArray(value) ? value : [value]) {
        if (isRecord(related)) collect(target, keyIn(related, target), related);
      }
    }
  };
  for (const { key, record } of answer.rows) collect(definition, key, record);
  return [...tags];
}

function isRecord(value: unknown): value is RecordJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keyIn(record: RecordJson, definition: ObjectDefinition): string | number {
  const key = record[definition.primaryKey];
  return typeof key === 'number' || typeof key === 'string' ? key : '';
}
