/** A rendered page as a document of its own: no script of it runs, and it reaches nothing but pictures of the site. */
import { createReadStream } from 'node:fs';
import type { Context } from 'koa';
import { AppError } from '../../src/errors/app-error.js';
import { findMediaFile } from '../../src/files/media-folder.js';
import { filesBase, readMediaAddress } from '../../src/files/media-path.js';
import { readAsset } from '../../src/values/read-asset.js';
import { escapeHtml } from '../../src/values/text.js';

/** They ask the network, or send the reader on, without a rule for it in a policy. */
const active = /<(?=(?:link|meta|base|script)\b)/gi;

interface Answer {
  readonly data?: { readonly html: string };
  readonly notes?: readonly string[];
  readonly error?: { readonly message: string };
}

/** What the command refuses is shown in place of the page. `pictures` is the path of those of the site. */
export function answerFrame(ctx: Context, { body, pictures }: { body: object; pictures: string }): void {
  const { data: { html } = { html: '' }, notes = [], error } = body as Answer;
  const policy = [
    'sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${ctx.protocol}://${ctx.host}${pictures}/ data:`,
    "frame-ancestors 'self'",
  ];
  ctx.set({ 'Content-Security-Policy': policy.join('; '), 'X-DNS-Prefetch-Control': 'off' });
  ctx.type = 'text/html; charset=utf-8';
  const shown = html.replaceAll(active, '&lt;').replaceAll(`"${filesBase}/`, `"${pictures}/`);
  const told = (error === undefined ? notes : [error.message]).map((note) => `<p><mark>${escapeHtml(note)}</mark></p>`);
  const style = readAsset('studio', 'frame.css').toString();
  // Links open a window, which the sandbox refuses: the frame stays with its page.
  ctx.body = `<!doctype html><meta name="viewport" content="width=device-width"><base target="_blank"><style>${style}</style><body>${told.join('')}<main>${shown}</main>`;
}

/** Throws not_found for other files than pictures too. */
export async function answerPicture(ctx: Context, { folder, address }: { folder: string; address: string }) {
  const path = readMediaAddress(address);
  const file = path === null ? null : await findMediaFile(folder, path);
  if (file === null || !file.type.startsWith('image/')) {
    throw new AppError('not_found', { message: 'There is no such picture' });
  }
  ctx.set({
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'private, max-age=60',
  });
  ctx.type = file.type;
  ctx.length = file.size;
  ctx.body = createReadStream(file.place);
}
