/** The sections above a resource. */
import { siteContent } from '../../content/models/resources.js';
import type { Store } from '../../store/open/open.js';

const mostRemembered = 10_000;
/** Deeper trees are damaged. */
const deepest = 100;

/** `parents` are those that are known; more are added. */
export async function ancestorsOf(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  resource: number,
  parents = new Map<number, number>(),
): Promise<ReadonlySet<number>> {
  const above = new Set<number>();
  for (let at = resource; above.size < deepest; above.add(at)) {
    let parent = parents.get(at);
    if (parent === undefined) {
      const [row] = await siteContent.on(content.primary, prefix).lookUpAll({ id: at }, { attributes: ['parent'] });
      parent = row?.parent ?? 0;
      if (parents.size >= mostRemembered) parents.clear();
      parents.set(at, parent);
    }
    // In damaged data, parents may form a circle.
    if (parent <= 0 || above.has(parent)) break;
    at = parent;
  }
  return above;
}
