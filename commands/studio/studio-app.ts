/** The HTTP side of Studio: an ordinary Koa application, on this machine only. */
import { extname } from 'node:path';
import { Router } from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { koaBody } from 'koa-body';
import { AppError } from '../../src/errors/app-error.js';
import { isJsonObject, type JsonObject } from '../../src/values/json.js';
import { readAsset } from '../../src/values/read-asset.js';
import { errorObject } from '../output.js';
import type { CommandView, StudioAbout } from './command-view.js';
import { answerFrame, answerPicture } from './frame.js';
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

export interface StudioApp {
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
    const { id = '' } = ctx.params;
    const { document = 'draft' } = ctx.query;
    const request = { path: 'page show', arguments: [id], options: { html: true, document } };
    answerFrame(ctx, { body: (await studio.run(request)).body, pictures });
  });
  router.get('/pictures/:key/*path', async (ctx) => {
    const { key = '' } = ctx.params;
    studio.session.checkPictureKey(key);
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
  if (code === 413) {
    return new AppError('payload_too_large', { message: `The request has more than ${mostInput} bytes` });
  }
  if (code !== 400) return error;
  return new AppError('bad_request', { message: 'The body is not valid JSON' });
}

function bodyOf({ request: { body } }: Context): JsonObject {
  if (isJsonObject(body)) return body;
  throw new AppError('bad_request', { message: 'The body must be a JSON object' });
}
