/** Which methods a path answers, for the Allow header. */
import type { Located } from './locate.js';

export const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Methods of the path in the order of the Allow header; empty when it names nothing. */
export function allowedMethods({ matches, mounted }: Located): readonly string[] {
  if (matches.size === 0) return [];
  return allMethods.filter((method) => {
    if (method === 'OPTIONS') return mounted?.policy.answersOptions === true;
    return matches.has(method === 'HEAD' ? 'GET' : method);
  });
}
