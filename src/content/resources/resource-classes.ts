/** The resource classes of the CMS (docs/reference/storage.md#resource-classes) and which of them a write may name. */
import { classIsStored } from '../models/resources.js';
import type { ContextRules } from './context-rules.js';
import type { ResourceWork } from './resource-write.js';

const shortNames = ['modDocument', 'modWebLink', 'modSymLink', 'modStaticResource', 'modResource'];
const namespace = 'MODX\\Revolution\\';

type ClassRules = Pick<ContextRules, 'shortClassNames'>;

/** Both spellings are understood; the CMS of this database knows one of them. */
function spell(name: string, { shortClassNames }: ClassRules): string {
  return shortClassNames ? name : `${namespace}${name}`;
}

export function defaultClass(rules: ClassRules): string {
  return spell('modDocument', rules);
}

/** The class as it is stored; undefined for one that a resource cannot have. */
export async function findClass(work: ResourceWork, asked: string, rules: ClassRules): Promise<string | undefined> {
  const short = asked.startsWith(namespace) ? asked.slice(namespace.length) : asked;
  if (shortNames.includes(short)) return spell(short, rules);
  if (work.writer.store.kind !== 'attached') return undefined;
  return (await classIsStored(work.tx, work.table, asked)) ? asked : undefined;
}

export function classProblem(rules: ClassRules): string {
  return `must be a resource class: ${shortNames.map((name) => spell(name, rules)).join(', ')}`;
}

/** The `type` that goes with a class: links point elsewhere. */
export function typeOfClass(name: string): string {
  return /(^|\\)(modWebLink|modSymLink)$/.test(name) ? 'reference' : 'document';
}
