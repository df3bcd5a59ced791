/** The form of product groups and their lines. */

export interface ProductLine {
  readonly name: string;
  /** What sets the line apart, as one sentence. */
  readonly character: string;
  readonly fabric: string;
  readonly grams: number;
  readonly euros: number;
}

export interface ProductGroup {
  readonly key: string;
  readonly title: string;
  readonly singular: string;
  readonly purpose: string;
  readonly lines: readonly [ProductLine, ProductLine, ProductLine];
  readonly sizes: readonly (readonly [name: string, note: string])[];
  readonly features: readonly string[];
  readonly care: string;
  readonly guide: string;
}

export function line(
  name: string,
  character: string,
  rest: { fabric: string; grams: number; euros: number },
): ProductLine {
  return { name, character, ...rest };
}
