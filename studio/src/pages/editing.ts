/** What every field of a page needs, however deep it stands. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldDefinition } from '../../../src/pages/rules/section-type.js';
import type { Json } from '../api.js';
import type { FieldText } from '../inputs.js';

type Problems = Readonly<Record<string, readonly string[]>>;

/** By path, such as `sections[0].data.items[1].title`. */
export const ProblemsContext = createContext<Problems>({});

/** Of the field itself, and with `deep` of what is in it. */
export function useProblems(path: string, deep: boolean): readonly string[] {
  const problems = useContext(ProblemsContext);
  if (!deep) return problems[path] ?? [];
  return Object.entries(problems).flatMap(([at, said]) => (at === path || isBelow(at, path) ? said : []));
}

export function isBelow(path: string, above: string): boolean {
  return path.startsWith(above) && ['.', '['].includes(path.charAt(above.length));
}

export interface ValueProps {
  readonly field: FieldDefinition;
  readonly value: Json | undefined;
  readonly path: string;
  /** Undefined for no value. */
  readonly change: (value: Json | undefined) => void;
}

export function nameOf({ label, name }: FieldDefinition): string {
  return label === '' ? name : label;
}

/** What is said of a field; the problems of what is in it stand there too. */
export function useField(field: FieldDefinition, path: string): FieldText {
  const { required, description } = field;
  return { label: nameOf(field), help: description || undefined, required, problems: useProblems(path, true) };
}
