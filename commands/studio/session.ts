/** Who may use Studio: the browser that opened the printed address, and no other. */
import type { Context } from 'koa';
import { isSameSecret, randomBase64Url } from '../../src/crypto/primitives.js';
import { AppError } from '../../src/errors/app-error.js';

const secretBytes = 32;

export class StudioSession {
  readonly token = randomBase64Url(secretBytes);
  /** In the addresses of pictures: a sandboxed frame sends no cookie. */
  readonly pictureKey = randomBase64Url(secretBytes);
  readonly #cookie = randomBase64Url(secretBytes);
  readonly #port: number;
  #isRedeemed = false;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sets the cookie, once. Throws scope_denied. */
  redeem(ctx: Context, token: unknown): void {
    if (this.#isRedeemed || typeof token !== 'string' || !isSameSecret(token, this.token)) {
      throw denied('This address was used already, or belongs to an earlier run. Run hcd studio again');
    }
    this.#isRedeemed = true;
    ctx.cookies.set(this.#name, this.#cookie, { httpOnly: true, sameSite: 'strict', path: '/', overwrite: true });
  }

  /** Throws scope_denied. */
  check(ctx: Context): void {
    const cookie = ctx.cookies.get(this.#name) ?? '';
    if (!isSameSecret(cookie, this.#cookie)) {
      throw denied('Open the address that hcd studio printed, in the browser in which it was opened first');
    }
  }

  /** Throws scope_denied. */
  checkPictureKey(key: string): void {
    if (!isSameSecret(key, this.pictureKey)) throw denied('This picture belongs to another run');
  }

  /** Cookies of a host are the same on all its ports. */
  get #name(): string {
    return `hcd_studio_${this.#port}`;
  }
}

/** Against other web pages and names that were pointed at this machine. Throws scope_denied. */
export function checkOrigin(ctx: Context): void {
  const hosts = [`127.0.0.1:${ctx.socket.localPort}`, `localhost:${ctx.socket.localPort}`];
  if (!hosts.includes(ctx.get('Host'))) throw denied(`Studio answers only at http://${hosts[0]}`);
  // Their key stands for the rest.
  if (ctx.path.startsWith('/pictures/')) return;
  const isOurs =
    ['', `http://${ctx.get('Host')}`].includes(ctx.get('Origin')) &&
    ['', 'same-origin', 'none'].includes(ctx.get('Sec-Fetch-Site'));
  if (!isOurs) throw denied('Other web pages may not use Studio');
  if (ctx.method === 'POST' && ctx.path === '/run' && ctx.get('X-Studio') !== '1')
    throw denied('The header X-Studio: 1 is missing');
}

function denied(message: string): AppError {
  return new AppError('scope_denied', { message });
}
