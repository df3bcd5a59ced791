/** What the pages ask of the content server. The types come from `npm run types`. */
import { createClient, nullIfMissing } from 'hcd-client';
import type { Site } from './site.js';

export const hcd = createClient<Site>({
  url: process.env['HCD_URL'] ?? 'http://127.0.0.1:8080',
  key: process.env['HCD_KEY'],
});

/** Typed template variables, and addresses that work: of pictures, and of links in the content. */
const page = {
  fields: ['id', 'pagetitle', 'longtitle', 'introtext', 'content', 'uri', 'template', 'class_key', 'content_type'],
  include: ['ancestors', 'tvs'],
  links: 'resolve',
  urls: 'absolute',
  tags: 'strip',
} as const;

export type Page = Awaited<ReturnType<typeof allPages>>[number];

export async function allPages() {
  const pages = [];
  for await (const one of hcd.all('resources', { ...page, context: 'web' })) {
    // HTML pages, those of extras too: no links to elsewhere, no files.
    if (one.content_type === 1 && !/(WebLink|SymLink|StaticResource)$/.test(one.class_key)) pages.push(one);
  }
  return pages;
}

/** A page as the holder of a preview sees it; null where there is none. */
export async function draftOf(uri: string, token: string): Promise<Page | null> {
  return (await hcd.draft(token).page(uri, page).catch(nullIfMissing))?.data ?? null;
}

/** Asked for once: a build has hundreds of pages. The server starts again after each build. */
const entries = hcd.tree({ context: 'web', depth: 1, fields: ['id', 'pagetitle', 'menutitle', 'uri'] });
export const menu = async () => (await entries).data;

export async function productsBelow(uri: string) {
  const found = [];
  const asked = {
    filter: { template: 5 },
    fields: ['id', 'pagetitle', 'uri', 'introtext'],
    include: ['tvs'],
    sort: 'pagetitle',
    urls: 'absolute',
  } as const;
  for await (const one of hcd.all('resources', asked)) if (one.uri?.startsWith(uri)) found.push(one);
  return found.slice(0, 60);
}

export async function search(words: string) {
  const { data, meta } = await hcd.list('resources', {
    search: words,
    fields: ['id', 'pagetitle', 'uri', 'introtext'],
    limit: 20,
  });
  return { hits: data, total: meta.total };
}

export const address = (uri: string | null) => `/${uri === 'index.html' ? '' : (uri ?? '')}`;
export const price = (value: number | null) =>
  value === null ? '' : new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' }).format(value);
