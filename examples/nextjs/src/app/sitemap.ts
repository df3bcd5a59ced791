/** `/sitemap.xml` for search engines. */
import type { MetadataRoute } from 'next';
import { address, allUris } from '../content';

export const revalidate = 3600;

const origin = process.env.SITE_URL ?? 'http://localhost:3000';

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  return (await allUris()).map((uri) => ({ url: new URL(address(uri), origin).href }));
}
