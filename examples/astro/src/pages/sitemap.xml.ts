/** For search engines. */
import { address, allPages } from '../content';

const origin = process.env['SITE_URL'] ?? 'http://localhost:4321';

export async function GET(): Promise<Response> {
  const urls = (await allPages()).map(({ uri }) => new URL(address(uri), origin).href.replaceAll('&', '&amp;'));
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.map((url) => `<url><loc>${url}</loc></url>`).join('\n')}
</urlset>
`;
  return new Response(body, { headers: { 'content-type': 'application/xml' } });
}
