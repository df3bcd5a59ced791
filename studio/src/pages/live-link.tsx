/** The address of a page, as a link where readers can open it. */
import { isObject } from '../api.js';
import { useRun } from '../use-run.js';
import type { PageRecord, ResourceView } from './page-document.js';

interface LiveLinkProps {
  readonly resource: ResourceView;
  readonly page: PageRecord | null;
}

export function LiveLink({ resource: { uri, context_key: context, published }, page }: LiveLinkProps) {
  const own = useRun('setting get', { arguments: ['gateway_site_url'], options: { context } });
  const stored = useRun('setting get', { arguments: ['site_url'], options: { context } });
  const found = [own, stored].flatMap(({ result }) => (isObject(result?.data) ? [result.data] : []));
  const given = found.filter(({ value }) => /^https?:\/\//.test(String(value)));
  // What a context has of its own comes first.
  const site = given.find(({ source }) => source === 'context') ?? given[0];
  const isLive = published && (page?.published_revision ?? 0) > 0;
  if (!isLive || site === undefined) return <>/{uri}</>;
  return (
    <a href={`${String(site['value']).replace(/\/+$/, '')}/${uri}`} target="_blank" rel="noreferrer">
      /{uri} ↗
    </a>
  );
}
