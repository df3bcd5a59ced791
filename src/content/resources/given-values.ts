/** The values of a body as rules take them: fields of a resource typed, long texts as their columns hold them. */
import type { Param } from '../../store/base/database.js';
import type { FieldValues } from '../live/mutation.js';
import { type ResourceState, readGivenState } from '../models/resources.js';

/** The given fields; a null that the column cannot hold is its empty value. */
export function givenState(values: FieldValues): Partial<ResourceState> {
  return readGivenState(values);
}

/** The given texts that a ResourceState leaves out, by column. */
export function givenTexts(values: FieldValues): Record<string, Param> {
  const texts: Record<string, Param> = {};
  const { content, properties } = values;
  if (content !== undefined) texts['content'] = content === null ? null : String(content);
  if (properties !== undefined) texts['properties'] = properties === null ? null : JSON.stringify(properties);
  return texts;
}
