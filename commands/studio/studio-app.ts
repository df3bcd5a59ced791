/** The HTTP side of Studio: an ordinary Koa application, on this machine only. */
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { Router } from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { koaBody } from 'koa-body';
import { AppError } from '../../src/errors/app-error.js';
import { findMediaFile } from '../../src/files/media-folder.js';
import { filesBase, readMediaAddress } from '../../src/files/media-path.js';
import { isJsonObject, type JsonObject } from '../../src/values/json.js';
import { readAsset } from '../../src/values/read-asset.js';
import { escapeHtml } from '../../src/values/text.js';
import { errorObject } from '../output.js';
import type { CommandView, StudioAbout } from './command-view.js';
import { type RunAnswer, type RunRequest, statusOf } from './run-command.js';
import { checkOrigin, type StudioSession } from './session.js';

/** Bytes of a text or file that a command reads. */
const mostInput = 64 * 1024 * 1024;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = Object.freeze({
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
});

interface StudioApp {
  readonly session: StudioSession;
  readonly commands: () => Promise<readonly CommandView[]>;
  readonly run: (request: RunRequest) => Promise<RunAnswer>;
  readonly about: Omit<StudioAbout, 'pictures'>;
  readonly filesDir: string;
  /** Called before and after each request that holds the cookie. */
  readonly noteUse: () => void;
}

export function studioApp(studio: StudioApp): Koa {
  const app = new Koa();
  app.use(answerErrors);
  const router = routerOf(studio);
  app.use(router.routes());
  app.use(router.allowedMethods());
  // Errors were answered; what is left are connections that broke.
  app.silent = true;
  return app;
}

function routerOf(studio: StudioApp): Router {
  const router = new Router();
  const pictures = `/pictures/${studio.session.pictureKey}`;
  // Base64 has four characters for three bytes.
  const reader = koaBody({ jsonLimit: (mostInput / 3) * 4, urlencoded: false, text: false });
  const signedIn = async (ctx: Context, next: Next): Promise<void> => {
    studio.session.check(ctx);
    studio.noteUse();
    await next();
    studio.noteUse();
  };
  for (const file of ['index.html', 'app.js', 'style.css']) {
    router.get(file === 'index.html' ? '/' : `/${file}`, (ctx) => {
      ctx.type = extname(file);
      ctx.body = readAsset('studio', file);
    });
  }
  router.post('/session', reader, (ctx) => {
    studio.session.redeem(ctx, bodyOf(ctx)['token']);
    ctx.status = 204;
  });
  router.get('/commands', signedIn, async (ctx) => {
    ctx.body = { data: await studio.commands(), meta: { ...studio.about, pictures } };
  });
  router.get('/frame/:id', signedIn, async (ctx) => {
    const { document = 'draft' } = ctx.query;
    const request = { path: 'page show', arguments: [ctx.params['id'] ?? ''], options: { html: true, document } };
    answerFrame(ctx, { body: (await studio.run(request)).body, pictures });
  });
  router.get('/pictures/:key/*path', async (ctx) => {
    studio.session.checkPictureKey(ctx.params['key'] ?? '');
    await answerPicture(ctx, { folder: studio.filesDir, address: ctx.path.slice(pictures.length + 1) });
  });
  router.post('/run', signedIn, reader, async (ctx) => {
    const request = bodyOf(ctx);
    const { status, body } = await studio.run({ path: request['path'], ...request });
    ctx.status = status;
    if ('pipe' in body) ctx.attachment('output');
    ctx.body = body;
  });
  return router;
}

async function answerErrors(ctx: Context, next: Next): Promise<void> {
  ctx.set(headers);
  try {
    checkOrigin(ctx);
    await next();
    if (ctx.status === 404 && ctx.body === undefined)
      throw new AppError('not_found', { message: `There is nothing at ${ctx.path}` });
    if (ctx.status === 405) throw new AppError('method_not_allowed');
  } catch (error) {
    const known = toAppError(error);
    ctx.set(headers);
    ctx.status = statusOf(known);
    ctx.body = { error: errorObject(known) };
  }
}

/** Of the reader of bodies, whose errors have a status. */
function toAppError(error: unknown): unknown {
  const { status, httpCode: code = status }: { status?: unknown; httpCode?: unknown } = Object(error);
  if (code === 400) return new AppError('bad_request', { message: 'The body is not valid JSON' });
  if (code !== 413) return error;
  return new AppError('payload_too_large', { message: `The request has more than ${mostInput} bytes` });
}

function bodyOf({ request: { body } }: Context): JsonObject {
  if (isJsonObject(body)) return body;
  throw new AppError('bad_request', { message: 'The body must be a JSON object' });
}

/** They ask the network, or send the reader on, without a rule for it in a policy. */
const active = /<(?=(?:link|meta|base|script)\b)/gi;

interface Answer {
  readonly data?: { readonly html: string };
  readonly notes?: readonly string[];
  readonly error?: { readonly message: string };
}

/**
 * A rendered page as a document of its own: no script of it runs, and it reaches nothing but pictures and videos of the
 * site, below the path `pictures`. What the command refuses is shown in place of the page.
 */
function answerFrame(ctx: Context, { body, pictures }: { body: object; pictures: string }): void {
  const { data: { html } = { html: '' }, notes = [], error } = body as Answer;
  const media = `${ctx.protocol}://${ctx.host}${pictures}/`;
  const policy = [
    'sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${media} data:`,
    `media-src ${media}`,
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

/** Throws not_found for files other than pictures and videos too. */
async function answerPicture(ctx: Context, { folder, address }: { folder: string; address: string }) {
  const path = readMediaAddress(address);
  const file = path === null ? null : await findMediaFile(folder, path);
  if (file === null || !/^(?:image|video)\//.test(file.type)) {
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
