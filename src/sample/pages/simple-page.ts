/** The plainest kind of page: a few sentences, a few points, a picture and a link onwards. */
import { fixedTime } from '../batch.js';
import { bullets, heading, join, link, paragraph, paragraphOf, picture } from '../html.js';
import type { PageSpec } from '../page.js';

/** When the site was set up; most of its standing pages date from that day. */
export const built = fixedTime('2024-01-16T09:00:00Z');

/** An ordinary page from a few sentences and points, closed by a way onwards. */
export function simplePage(
  page: Pick<PageSpec, 'key' | 'title'> &
    Partial<PageSpec> & { says: readonly string[]; points: readonly string[]; onwards: string },
): PageSpec {
  const { says, points, onwards, ...rest } = page;
  const [first = '', ...more] = says;
  return {
    template: 'Page',
    createdOn: built,
    intro: first,
    ...rest,
    body: ({ uri, title }) =>
      join(
        paragraph(first),
        ...more.map((text) => paragraph(text)),
        heading('In short'),
        bullets(points),
        picture(`house/${page.key}.jpg`, page.title),
        paragraphOf('Read on:', `${link(uri(onwards), title(onwards))}.`),
      ),
  };
}
