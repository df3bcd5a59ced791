/**
 * Whether the template, the content type and the class that a body names are there (docs/reference/gateway.md#writes).
 */
import type { Problems } from '../../errors/app-error.js';
import { templates } from '../models/elements.js';
import type { ResourceState } from '../models/resources.js';
import { classProblem, findClass } from './resource-classes.js';
import type { ResourceWork } from './resource-write.js';
import type { ContentTypes } from './settle-uris.js';

/** Adds a problem for each; gives the class as it is stored, where one is given. */
export async function checkReferences(
  work: ResourceWork,
  asked: {
    readonly given: Partial<ResourceState>;
    readonly contentTypes: ContentTypes;
    readonly context: string;
    readonly problems: Problems;
  },
): Promise<{ readonly class_key?: string }> {
  const { given, contentTypes, problems } = asked;
  const { template, content_type: contentType } = given;
  if (template !== undefined && template !== 0 && !(await templateExists(work, template))) {
    problems.add('template', 'must be the id of a template, or 0');
  }
  if (contentType !== undefined && !contentTypes.has(contentType)) {
    problems.add('content_type', `must be the id of a content type: ${[...contentTypes.keys()].join(', ')}`);
  }
  if (given.class_key === undefined) return {};
  const rules = work.rulesOf(asked.context);
  const found = await findClass(work, given.class_key, rules);
  if (found === undefined) problems.add('class_key', classProblem(rules));
  return found === undefined ? {} : { class_key: found };
}

export async function templateExists({ tx, prefix }: ResourceWork, id: number): Promise<boolean> {
  return (await templates.on(tx, prefix).lookUpAll({ id }, { attributes: ['id'] })).length > 0;
}
