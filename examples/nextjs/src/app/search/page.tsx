import Link from 'next/link';
import { address, search } from '../../content';

export const metadata = { title: 'Search' };

export default async function Search({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q = '' } = await searchParams;
  const words = [q].flat().join(' ').trim().slice(0, 200);
  const { hits, total } = words === '' ? { hits: [], total: 0 } : await search(words);
  const pages = `${total} ${total === 1 ? 'page' : 'pages'}`;
  const found = total > hits.length ? `The first ${hits.length} of ${pages}` : pages;
  return (
    <>
      <h1>Search</h1>
      <p className="lead" role="status">
        {words === '' ? 'Type some words above.' : `${found} for “${words}”`}
      </p>
      <ol className="hits">
        {hits.map((hit) => (
          <li key={hit.id}>
            <Link href={address(hit.uri)} prefetch={false}>
              {hit.pagetitle}
            </Link>
            <br />
            {hit.introtext}
          </li>
        ))}
      </ol>
    </>
  );
}
