/**
 * Raw values of template variables (docs/reference/storage.md#template-variables): the stored value, else the default,
 * with `@INHERIT` resolved through the parents. Other bindings need PHP, SQL or the disk and are returned as they are,
 * never evaluated.
 */

export interface TemplateVariable {
  readonly id: number;
  readonly name: string;
  readonly defaultText: string | null;
  readonly rank: number;
}

/** A template variable linked to a template, with its place within that template. */
export interface LinkedVariable extends TemplateVariable {
  readonly linkRank: number;
}

/** The order of the variables of a template: link rank, then their own rank, then id. */
function orderVariables(variables: Iterable<LinkedVariable>): LinkedVariable[] {
  return [...variables].sort((a, b) => a.linkRank - b.linkRank || a.rank - b.rank || a.id - b.id);
}

export interface ValueSource {
  /** The stored value of a variable on a resource; undefined without a row. An empty text is a value. */
  readonly stored: (variableId: number, resourceId: number) => string | undefined;
  /** The parent's id; 0 or undefined at the root, or where the parent is missing. */
  readonly parentOf: (resourceId: number) => number | undefined;
}

const inheritForm = /^\s*@INHERIT\s*(.*)$/is;

/** True for a value that asks for the parents' value. */
export function isInherited(value: string): boolean {
  return inheritForm.test(value);
}

/**
 * The raw value of one variable on one resource. Inheriting takes the first parent's value that is not empty and no
 * binding; the parent's template need not have the variable. Found none: the text behind `@INHERIT`.
 */
export function rawValue(question: {
  readonly variable: TemplateVariable;
  readonly resourceId: number;
  readonly source: ValueSource;
}): string {
  const { variable, resourceId, source } = question;
  const own = (id: number): string => source.stored(variable.id, id) ?? variable.defaultText ?? '';
  const value = own(resourceId);
  const inherit = inheritForm.exec(value);
  if (!inherit) return value;
  const met = new Set([resourceId]);
  for (let id = source.parentOf(resourceId); id && !met.has(id); id = source.parentOf(id)) {
    met.add(id);
    const inherited = own(id);
    if (inherited !== '' && !inherited.startsWith('@')) return inherited;
  }
  return (inherit[1] ?? '').trim();
}

/** Name -> raw value of all variables linked to a resource's template, in their order. */
export function rawValues(question: {
  readonly variables: Iterable<LinkedVariable>;
  readonly resourceId: number;
  readonly source: ValueSource;
}): ReadonlyMap<string, string> {
  const { resourceId, source } = question;
  const entries = orderVariables(question.variables).map((variable): [string, string] => [
    variable.name,
    rawValue({ variable, resourceId, source }),
  ]);
  return new Map(entries);
}
