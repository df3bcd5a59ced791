/** One resource: breadcrumb, picture, the facts of a product, text, and the products below it. */
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { address, allUris, ancestorsOf, followMoved, getPage, price, productsBelow } from '../../content';

interface Props {
  params: Promise<{ uri?: string[] }>;
}

/** Made at build; a page that is newer, or that a webhook dropped, is made at its next visit. */
export async function generateStaticParams() {
  if (!process.env.HCD_KEY) process.stderr.write('HCD_KEY is not set: this build waits for most of its time.\n');
  const uris = await allUris();
  return uris.map((uri) => ({ uri: address(uri).split('/').filter(Boolean) }));
}

async function pathOf({ params }: Props) {
  const { uri = ['index.html'] } = await params;
  return uri.map(decodeURIComponent).join('/');
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const page = await getPage(await pathOf(props));
  return { title: page?.longtitle || page?.pagetitle };
}

export default async function Page(props: Props) {
  const path = await pathOf(props);
  const page = (await getPage(path)) ?? (await followMoved(path)) ?? notFound();
  const above = await ancestorsOf(page.id);
  const products = page.template === 4 ? await productsBelow(page.uri ?? '') : [];
  return (
    <>
      {above.length > 0 && (
        <nav className="crumbs" aria-label="Breadcrumb">
          <ol>
            <li>
              <Link href="/" prefetch={false}>
                Home
              </Link>
            </li>
            {above.map((one) => (
              <li key={one.id}>
                <Link href={address(one.uri)} prefetch={false}>
                  {one.menutitle || one.pagetitle}
                </Link>
              </li>
            ))}
            <li aria-current="page">{page.pagetitle}</li>
          </ol>
        </nav>
      )}
      <h1>{page.longtitle || page.pagetitle}</h1>
      {page.introtext && <p className="lead">{page.introtext}</p>}
      {'heroImage' in page.tvs && page.tvs.heroImage && <img className="hero" src={page.tvs.heroImage} alt="" />}
      {page.template === 5 && (
        <dl className="facts">
          <dt>Price</dt>
          <dd className="price">{price(page.tvs.price)}</dd>
          <dt>Weight</dt>
          <dd>{page.tvs.weight} g</dd>
          <dt>Seasons</dt>
          <dd>{page.tvs.seasons?.join(', ')}</dd>
        </dl>
      )}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the content is HTML of the site's editors. */}
      <div className="text" dangerouslySetInnerHTML={{ __html: page.content ?? '' }} />
      {products.length > 0 && (
        <ul className="cards">
          {products.map((product) => (
            <li className="card" key={product.id}>
              {product.tvs.heroImage && (
                <img src={product.tvs.heroImage} alt="" loading="lazy" width="600" height="400" />
              )}
              <div>
                <h2>
                  <Link href={address(product.uri)} prefetch={false}>
                    {product.pagetitle}
                  </Link>
                </h2>
                <p>{product.introtext}</p>
                <p className="price">{price(product.tvs.price)}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
