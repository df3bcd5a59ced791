import Link from 'next/link';
import { address, search } from '../../content';

export const metadata = { title: 'Search' };

export default async function Search({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q = '' } = await searchParams;
  const words = [q].flat().join(' ').trim().slice(0, 200);
  const hits = words === '' ? [] : await search(words);
  return (
    <>
      <h1>Search</h1>
      <p className="lead" role="status">
        {words === '' ? 'Type some words above.' : `${hits.length} pages for “${words}”`}
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
