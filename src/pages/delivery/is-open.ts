/** Whether anonymous visitors may see a resource at this moment, by the rule that decides whether its page is delivered. */
import { deliverable } from './deliverable.js';
import type { DeliverySite } from './delivery-site.js';
import { hasId, idsStatement } from './resource-facts.js';

export async function isOpen(site: DeliverySite, resource: number): Promise<boolean> {
  const statement = idsStatement(site, [hasId(site, [resource]), deliverable(site).anywhere], { limit: 1 });
  return (await site.store.content.primary.select(statement)).length > 0;
}
