/** The rules of all template variables of a store, those of the file among them. */
import { tvs } from '../../content/models/template-variables.js';
import type { TvRuleFacts } from '../../content/rules/tv-rules.js';
import type { Param, Reader } from '../../store/base/database.js';

export class VariableRules {
  #known: Map<Param, TvRuleFacts> | undefined;

  forget(): void {
    this.#known = undefined;
  }

  async all(content: Reader, prefix: string): Promise<Map<Param, TvRuleFacts>> {
    if (this.#known === undefined) {
      const attributes = ['id', 'type', 'elements', 'input_properties'] as const;
      const rows = await tvs.on(content, prefix).lookUpAll({}, { attributes });
      this.#known = new Map(rows.map((row) => [row.id, rulesOf(row)]));
    }
    return this.#known;
  }
}

export function rulesOf({ type, elements, input_properties: given }: Readonly<Record<string, unknown>>): TvRuleFacts {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { type: String(type ?? ''), elements: text(elements), inputProperties: text(given) };
}
