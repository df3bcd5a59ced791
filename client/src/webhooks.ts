/** Checks that a delivery of a webhook comes from the server: Standard Webhooks, with the cryptography of the web alone. */

export interface WebhookEvent {
  /** The same in every repetition of the delivery. */
  readonly id: string;
  /** Such as `resources.updated`. */
  readonly type: string;
  readonly created_at: string;
  readonly data: {
    readonly object?: string;
    readonly action?: string;
    readonly id?: string;
    readonly context?: string;
    readonly uri?: string | null;
    readonly [name: string]: unknown;
  };
  /** Tags of answers that are out of date, and who made the change: `cms` is every other program. */
  readonly meta?: {
    readonly revalidate?: readonly string[];
    readonly source?: 'hcd' | 'cms';
    readonly [name: string]: unknown;
  };
}

/** A request whose body has been read, exactly as it came. */
export interface ReadRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | ArrayBuffer | Uint8Array;
}

export interface VerifyOptions {
  /** Seconds that the time of the delivery may be off: 300. */
  readonly tolerance?: number;
  /** Unix seconds. */
  readonly now?: number;
}

export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * The event of a genuine delivery. Several secrets: any of them. Throws WebhookError for a delivery that is not signed
 * with a secret, or too old.
 */
export async function verifyWebhook(
  request: Request | ReadRequest,
  secret: string | readonly string[],
  { tolerance = 300, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = (name: string): string => headerOf(request.headers, name) ?? '';
  const id = header('webhook-id');
  const time = header('webhook-timestamp');
  if (id === '' || !/^\d{1,12}$/.test(time)) throw new WebhookError('The delivery is not signed');
  if (!(Math.abs(now - Number(time)) <= tolerance)) throw new WebhookError('The delivery is too old or too new');
  const body = bytesOf('text' in request ? await request.text() : request.body);
  const signed = new Uint8Array([...bytesOf(`${id}.${time}.`), ...body]);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  for (const one of secrets) {
    const key = await crypto.subtle.importKey('raw', keyOf(one), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of header('webhook-signature').split(' ')) {
      const given = signature.startsWith('v1,') ? decode(signature.slice(3)) : null;
      // The comparison takes the same time for every wrong signature.
      if (given && (await crypto.subtle.verify('HMAC', key, given, signed)))
        return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
    }
  }
  throw new WebhookError('No signature fits');
}

function headerOf(headers: ReadRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([one]) => one.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

function bytesOf(body: ReadRequest['body']): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
}

/** The bytes that the base64 after `whsec_` stands for, or those of a text of one's own. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith('whsec_') ? decode(secret.slice(6)) : bytesOf(secret);
  if (!key?.length) throw new WebhookError('The secret is empty or not base64');
  return key;
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
