/** `hcd section-type show`: show a section type. */
import { AppError } from '../../src/errors/app-error.js';
import { findTypeUses } from '../../src/pages/authoring/change-section-types.js';
import { loadSectionType, type SectionTypeView } from '../../src/pages/authoring/section-types.js';
import type { FieldDefinition } from '../../src/pages/rules/section-type.js';
import { isJsonObject } from '../../src/values/json.js';
import { defineSiteCommand, type JsonRecord, type JsonValue } from '../command.js';
import { toggle } from '../parameters.js';
import { keyParameter, typeRecord } from './shared.js';

function definitionOf({ definition }: SectionTypeView): JsonValue {
  return isJsonObject(definition) ? (JSON.parse(JSON.stringify(definition)) as JsonValue) : null;
}

export const command = defineSiteCommand({
  description:
    'Shows a section type with its fields (an asterisk marks fields that are required to publish), its template and the number of pages that use it. With --definition the command prints only the definition, in the format of hcd section-type import, as a start for your own type. For a hidden type this is the shipped definition; importing it unchanged restores the type.',
  arguments: { key: keyParameter },
  options: { definition: toggle('Print only the definition, as JSON') },
  examples: {
    'section-type show hero': 'Show the fields of a type',
    'section-type show hero --definition > hero.json': 'Save the definition to a file',
  },
  async run({ key, definition: isAlone }, deps) {
    const view = await loadSectionType(deps.store.own.primary, key);
    const definition = definitionOf(view);
    if (isAlone) {
      if (definition === null) throw new AppError('refused', { message: `The definition of ${key} cannot be read` });
      return { kind: 'text', text: `${JSON.stringify(definition, null, 2)}\n`, data: definition };
    }
    const pages = await findTypeUses(deps.store.own.primary, key);
    const record: JsonRecord = {
      ...typeRecord(view),
      fields: fieldNames(view.type?.fields ?? []),
      problem: view.problem,
      pages: pages.length,
      template: view.type?.template ?? null,
      definition,
    };
    const hidden = ['definition', ...(view.problem === null ? ['problem'] : [])];
    return { kind: 'record', record, fields: Object.keys(record).filter((name) => !hidden.includes(name)) };
  },
});

/** Such as `title*`, and `items[question*, answer*]` for rows. */
function fieldNames(fields: readonly FieldDefinition[]): readonly string[] {
  return fields.map(({ name, required, fields: inner }) => {
    const rows = inner.length === 0 ? '' : `[${fieldNames(inner).join(', ')}]`;
    return `${name}${required ? '*' : ''}${rows}`;
  });
}
