/** What the pages ask of the content server. The types come from `npm run types`. */
import { createClient, nullIfMissing, ProblemError } from 'hcd-client';
import { cookies, draftMode } from 'next/headers';
import { permanentRedirect, redirect } from 'next/navigation';
import type { Site } from './site';

export const hcd = createClient<Site>({
  url: process.env.HCD_URL ?? 'http://127.0.0.1:8080',
  key: process.env.HCD_KEY,
});

/** Next.js keeps an answer until a webhook names one of its tags; after an hour it asks again in any case. */
const kept = (...tags: string[]) => ({ init: { next: { tags, revalidate: 3600 } } });
/** The tag of every change to resources: for menus, lists and breadcrumbs. */
const anyResource = 'gateway:resources';

/** Typed template variables, and addresses that work: of pictures, and of links in the content. */
const page = {
  fields: ['id', 'pagetitle', 'longtitle', 'introtext', 'content', 'uri', 'template'],
  include: ['tvs'],
  links: 'resolve',
  urls: 'absolute',
  tags: 'strip',
} as const;

/** The page at a path; in draft mode as the holder of the preview sees it. Null where there is none. */
export async function getPage(uri: string) {
  const { isEnabled } = await draftMode();
  const token = isEnabled ? (await cookies()).get('preview')?.value : undefined;
  // The paths that Next.js gives have no slash at their end; addresses of the content server can have one.
  const tags = [`gateway:uri:${uri}`, `gateway:uri:${uri}/`];
  if (token === undefined) return (await hcd.page(uri, page, kept(...tags)).catch(nullIfMissing))?.data ?? null;
  const draft = await hcd
    .draft(token)
    .page(uri, page, { init: { cache: 'no-store' } })
    .catch(hasEnded);
  // The preview has ended: the route without a token leaves draft mode.
  return draft === 'ended' ? redirect('/api/draft') : (draft?.data ?? null);
}

export function hasEnded(error: unknown): 'ended' | null {
  return error instanceof ProblemError && error.status === 401 ? 'ended' : nullIfMissing(error);
}

/** Leads the visitor of an old address to the present one. */
export async function followMoved(uri: string): Promise<null> {
  for await (const { from, to } of hcd.redirects({ context: 'web' }, kept(anyResource))) {
    if (from.replace(/\/$/, '') === uri) permanentRedirect(/^https?:/.test(to) ? to : address(to));
  }
  return null;
}

/** The addresses of all HTML pages, those of extras too: no links to elsewhere and no files. */
export async function allUris() {
  const uris: string[] = [];
  const asked = { fields: ['uri', 'class_key', 'content_type'], context: 'web' } as const;
  for await (const { uri, class_key, content_type } of hcd.all('resources', asked)) {
    if (uri && content_type === 1 && !/(WebLink|SymLink|StaticResource)$/.test(class_key)) uris.push(uri);
  }
  return uris;
}

/** The breadcrumb changes when pages above change, so it is an answer of its own. */
export async function ancestorsOf(id: number) {
  const trail = { fields: ['id'], include: ['ancestors'] } as const;
  const found = await hcd.get('resources', id, trail, kept(anyResource)).catch(nullIfMissing);
  return found?.data.ancestors ?? [];
}

export async function menu() {
  const asked = { context: 'web', depth: 1, fields: ['id', 'pagetitle', 'menutitle', 'uri'] } as const;
  return (await hcd.tree(asked, kept(anyResource))).data;
}

export async function productsBelow(uri: string) {
  const found = [];
  const asked = {
    filter: { template: 5 },
    fields: ['id', 'pagetitle', 'uri', 'introtext'],
    include: ['tvs'],
    sort: 'pagetitle',
    urls: 'absolute',
  } as const;
  for await (const one of hcd.all('resources', asked, kept(anyResource))) if (one.uri?.startsWith(uri)) found.push(one);
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
