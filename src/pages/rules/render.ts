/**
 * Makes HTML of sections. A section that cannot be rendered says so and is empty; it never fails its page. The result
 * for a section depends on nothing but the section, its type and the screen size.
 */
import { AppError } from '../../errors/app-error.js';
import { isJsonObject, memberOf, objectOf } from '../../values/json.js';
import { valueKindOf } from './field-types.js';
import { type Breakpoint, breakpoints } from './field-value.js';
import type { PageSection } from './page-document.js';
import { pageBudget, RenderMeter, sectionBudget } from './render-meter.js';
import { type FieldDefinition, type SectionType, type SectionTypes, storedFields } from './section-type.js';
import { type CompiledTemplate, compileTemplate, renderTemplate } from './template-engine.js';

export interface RenderedSection {
  /** Empty when rendering failed. */
  readonly html: string;
  readonly renderFailed: boolean;
  /** Why it failed, for the log; null when it did not. */
  readonly failure: string | null;
}

export interface RenderOptions {
  readonly types: SectionTypes;
  /** Which of the values of responsive fields is shown; desktop when absent. */
  readonly breakpoint?: Breakpoint;
}

/** The sections in their order. All share one budget; those that find it spent have failed. */
export function renderSections(sections: readonly PageSection[], options: RenderOptions): readonly RenderedSection[] {
  const page = new RenderMeter(pageBudget);
  return Object.freeze(sections.map((section) => render(section, { ...options, page })));
}

/** One section by itself. */
export function renderSection(section: PageSection, options: RenderOptions): RenderedSection {
  return render(section, options);
}

function render(section: PageSection, options: RenderOptions & { readonly page?: RenderMeter }): RenderedSection {
  const type = options.types.get(section.type);
  if (!type) return failed(`there is no section type ${section.type}`);
  try {
    const meter = new RenderMeter(sectionBudget, options.page);
    const html = renderTemplate(compiled(type), { values: viewOf(section, { type, ...options }), meter });
    return Object.freeze({ html, renderFailed: false, failure: null });
  } catch (error) {
    // Whatever goes wrong in one section must leave the others alone; the reason goes to the log.
    return failed(error instanceof AppError ? error.message : String(error));
  }
}

function failed(failure: string): RenderedSection {
  return Object.freeze({ html: '', renderFailed: true, failure });
}

/** Templates that have been read, as long as their types are in use. */
const templates = new WeakMap<SectionType, CompiledTemplate>();

function compiled(type: SectionType): CompiledTemplate {
  const known = templates.get(type);
  if (known) return known;
  const made = compileTemplate(type.template);
  templates.set(type, made);
  return made;
}

/** The variables of a template. */
function viewOf(
  { id, data }: PageSection,
  { type, breakpoint = 'desktop' }: { readonly type: SectionType; readonly breakpoint?: Breakpoint },
): Readonly<Record<string, unknown>> {
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
    data: shownValues(data, { fields: type.fields, breakpoint }),
  };
}

/** The values with one for each responsive field. */
function shownValues(
  data: Readonly<Record<string, unknown>>,
  { fields, breakpoint }: { readonly fields: readonly FieldDefinition[]; readonly breakpoint: Breakpoint },
): Readonly<Record<string, unknown>> {
  const pairs = storedFields(fields).flatMap((field): [string, unknown][] => {
    const value = memberOf(data, field.name);
    if (value === undefined) return [];
    if (field.responsive && isJsonObject(value)) return [[field.name, valueFor(value, breakpoint)]];
    if (valueKindOf(field.type) !== 'rows' || !Array.isArray(value)) return [[field.name, value]];
    const rows = value.filter(isJsonObject).map((row) => shownValues(row, { fields: field.fields, breakpoint }));
    return [[field.name, rows]];
  });
  return objectOf(pairs);
}

/** The value of the screen size, else of the first that has one. */
function valueFor(value: Readonly<Record<string, unknown>>, breakpoint: Breakpoint): unknown {
  return [breakpoint, ...breakpoints].map((name) => memberOf(value, name)).find((one) => one !== undefined);
}
