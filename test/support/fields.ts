/** Short forms for the fields of definitions. */
import type { FieldDefinition, FieldDraft } from '../../src/content/objects/definition.js';

type Column = Partial<Pick<FieldDefinition, 'column' | 'maxLength' | 'maxBytes' | 'range' | 'nullIsEmpty' | 'media'>>;
export const integer = (extra: Column = {}): FieldDraft => ({ type: 'integer', nullable: false, ...extra });
export const flag = (extra: Column = {}): FieldDraft => ({ type: 'boolean', nullable: false, ...extra });
export const time = (extra: Column = {}): FieldDraft => ({
  type: 'datetime',
  storage: 'unix',
  nullable: true,
  ...extra,
});
export const text = (maxLength?: number, extra: Column = {}): FieldDraft => ({
  type: 'string',
  nullable: false,
  ...(maxLength === undefined ? {} : { maxLength }),
  ...extra,
});
export const optionalText = (maxLength?: number, extra: Column = {}): FieldDraft => ({
  ...text(maxLength, extra),
  nullable: true,
});
