/** The sample site has names of pictures but no pictures: this draws one for each. A real site has its media here. */
import { picture } from '../../../picture';

export async function GET(_request: Request, { params }: { params: Promise<{ name: string[] }> }) {
  const { name } = await params;
  return new Response(picture(name.join('/')), {
    headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=3600' },
  });
}
