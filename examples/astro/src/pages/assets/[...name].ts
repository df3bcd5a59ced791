/** The sample site has names of pictures but no pictures: this draws one for each. A real site has its media here. */
import type { APIRoute } from 'astro';
import { picture } from '../../picture';

export const prerender = false;
export const GET: APIRoute = ({ params }) =>
  new Response(picture(params.name ?? ''), {
    headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=3600' },
  });
