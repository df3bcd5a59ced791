/** Makes HTML of sections. A section that cannot be rendered is empty; it never fails its page. */
import { AppError } from '../../errors/app-error.js';
import { isJsonObject, memberOf, objectOf } from '../../values/json.js';
import { perObject } from '../../values/kept-values.js';
import { valueKindOf } from './field-types.js';
import { breakpoints } from './field-value.js';
import type { PageSection } from './page-document.js';
import { type FieldDefinition, type SectionType, type SectionTypes, storedFields } from './section-type.js';
import { type CompiledTemplate, compileTemplate, renderTemplate } from './template-engine.js';
import { pageBudget, RenderMeter, sectionBudget } from './template-filters.js';

export interface RenderedSection {
  readonly html: string;
  readonly renderFailed: boolean;
  /** For the log; null when rendering did not fail. */
  readonly failure: string | null;
}

export const notRendered: RenderedSection = Object.freeze({ html: '', renderFailed: true, failure: null });

/** All share one budget; sections that find it spent have failed. */
export function renderSections(sections: readonly PageSection[], types: SectionTypes): readonly RenderedSection[] {
  const page = new RenderMeter(pageBudget);
  return Object.freeze(sections.map((section) => render(section, types, page)));
}

function render(section: PageSection, types: SectionTypes, page: RenderMeter): RenderedSection {
  const type = types.get(section.type);
  if (!type) return failed(`there is no section type ${section.type}`);
  try {
    const meter = new RenderMeter(sectionBudget, page);
    const html = renderTemplate(compiled(type), { values: viewOf(section, type), meter });
    return Object.freeze({ html, renderFailed: false, failure: null });
  } catch (error) {
    // A fault in one section must leave the others alone; the reason goes to the log.
    return failed(error instanceof AppError ? error.message : String(error));
  }
}

function failed(failure: string): RenderedSection {
  return Object.freeze({ ...notRendered, failure });
}

/** Templates that have been read, as long as their types are in use. */
const compiled = perObject(({ template }: SectionType): CompiledTemplate => compileTemplate(template));

function viewOf({ id, data }: PageSection, type: SectionType): Readonly<Record<string, unknown>> {
  const extra = memberOf(data, 'cssClass');
  return {
    id,
    type: type.key,
    version: type.version,
    // Classes of the outermost element: one of all sections, one of the type, those of the editor.
    cssClass: [
      'section',
      `section--${type.key.replaceAll('_', '-')}`,
      ...(typeof extra === 'string' ? [extra] : []),
    ].join(' '),
    data: shownValues(data, type.fields),
  };
}

/** Of a responsive field the value of the largest screen that has one. */
function shownValues(
  data: Readonly<Record<string, unknown>>,
  fields: readonly FieldDefinition[],
): Readonly<Record<string, unknown>> {
  const pairs = storedFields(fields).flatMap((field): [string, unknown][] => {
    const value = memberOf(data, field.name);
    if (value === undefined) return [];
    if (field.responsive && isJsonObject(value)) {
      return [[field.name, breakpoints.map((name) => memberOf(value, name)).find((one) => one !== undefined)]];
    }
    if (valueKindOf(field.type) !== 'rows' || !Array.isArray(value)) return [[field.name, value]];
    return [[field.name, value.filter(isJsonObject).map((row) => shownValues(row, field.fields))]];
  });
  return objectOf(pairs);
}
