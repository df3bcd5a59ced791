// The webhook of the content server: what it names is asked for again at the next visit.
import { verifyWebhook, WebhookError } from 'hcd-client/webhooks';
import { revalidatePath, revalidateTag } from 'next/cache';

export async function POST(request: Request) {
  try {
    const event = await verifyWebhook(request, process.env.WEBHOOK_SECRET ?? '');
    for (const tag of event.meta?.revalidate ?? []) revalidateTag(tag, { expire: 0 });
    // Too many pages changed to name them.
    if (event.type === 'content.changed') revalidatePath('/', 'layout');
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookError) return new Response(error.message, { status: 401 });
    throw error;
  }
}
