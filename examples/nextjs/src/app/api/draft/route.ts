// /api/draft?uri=about.html&token=pv_... shows drafts from now on; /api/draft alone leaves them.
import { cookies, draftMode } from 'next/headers';
import { redirect } from 'next/navigation';
import { address, hasEnded, hcd } from '../../../content';

export async function GET(request: Request) {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get('token');
  if (token === null) {
    (await draftMode()).disable();
    (await cookies()).delete('preview');
    redirect('/');
  }
  const uri = searchParams.get('uri') ?? '';
  const page = await hcd
    .draft(token)
    .page(uri, { fields: ['uri'] }, { init: { cache: 'no-store' } })
    .catch(hasEnded);
  if (page === 'ended') return new Response('This preview has ended.', { status: 401 });
  if (page === null) return new Response('The preview shows no such page.', { status: 404 });
  (await draftMode()).enable();
  (await cookies()).set('preview', token, { httpOnly: true, secure: true, sameSite: 'none', path: '/' });
  redirect(address(page.data.uri));
}
