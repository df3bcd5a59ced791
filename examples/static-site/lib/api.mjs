/**
 * Talks to the page API: one function per route. Waits as long as the server asks, tries again when the network or the
 * server fails, and gives up with a readable message.
 */

/** Requested parts of a page: the finished HTML, and the text for the description. */
export const include = 'html,values';

/** An error that another attempt would not change; `status` is that of the answer, if there was one. */
export class ApiFailure extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const attempts = 5;
const longestWait = 120;
const timeout = 30_000;

/** @param {{ api: string, token: string, context: string, pageSize: number }} settings */
export function createClient({ api, token, context, pageSize }) {
  let requests = 0;

  /** The decoded answer; null for 304, undefined for 404. */
  async function get(path, parameters, etag) {
    const url = new URL(api);
    for (const [name, value] of Object.entries({ path, ...parameters })) url.searchParams.set(name, value);
    for (let attempt = 1; ; attempt += 1) {
      requests += 1;
      const answer = await send(url, { token, etag });
      if (answer.status === 304) return null;
      if (answer.status === 404) return undefined;
      if (answer.status === 200) return answer;
      if (!answer.isPassing) throw new ApiFailure(`${url.origin} ${path}: ${answer.problem}`, answer.status);
      if (attempt === attempts) throw new ApiFailure(`${url.origin} ${path}: ${answer.problem}, ${attempts} times`);
      await wait(answer.retryAfter ?? 2 ** (attempt - 1) / 2);
    }
  }

  return {
    requests: () => requests,
    pageSize,
    /** One part of the list of pages. */
    list: async (offset) => objectOf(await get('/pages', { context, limit: pageSize, offset })),
    /** Pages that were published or withdrawn after the revision. */
    changes: async (revision) => objectOf(await get('/pages', { context, limit: pageSize, changed_since: revision })),
    /** A page with its ETag; null when the ETag still matches, undefined when the page is gone. */
    page: async (id, etag) => {
      const answer = await get(`/pages/${id}`, { include }, etag);
      return answer ? { etag: answer.etag, page: answer.object } : answer;
    },
  };
}

function objectOf(answer) {
  if (!answer) throw new ApiFailure('The address is not that of the page API: see PAGES_API_URL');
  return answer.object;
}

async function send(url, { token, etag }) {
  try {
    const response = await fetch(url, {
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(etag === undefined ? {} : { 'If-None-Match': etag }),
      },
      // The token is for this address only.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    const { status } = response;
    const isPassing = status === 429 || status >= 500;
    const retryAfter = isPassing ? secondsOf(response.headers.get('Retry-After')) : undefined;
    if (status === 304 || status === 404) return { status };
    const body = await response.json().catch(() => null);
    if (status === 200 && body?.success)
      return { status, etag: response.headers.get('ETag') ?? undefined, object: body.object };
    return {
      status: status === 200 ? 0 : status,
      isPassing,
      retryAfter,
      problem: `${status} ${body?.message ?? ''}`.trim(),
    };
  } catch (error) {
    // fetch throws when nothing answered, or the answer broke off.
    return { status: 0, isPassing: true, problem: String(error.cause?.code ?? error.message) };
  }
}

/** Seconds, or a date, which servers may also send; capped. */
function secondsOf(retryAfter) {
  if (retryAfter === null) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestWait) : undefined;
}

function wait(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
