/** The value of a template variable as a field: always text, whatever its type, in a column of the CMS. */
import type { FieldDefinition } from './definition.js';

/** Column of the CMS: mediumtext. */
export const tvValueField: FieldDefinition = Object.freeze({
  type: 'string',
  column: 'value',
  nullable: false,
  maxBytes: 16_777_215,
});
