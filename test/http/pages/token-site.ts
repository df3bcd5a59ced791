/** A site that serves the page delivery API, with tokens in its store and questions to it. */
import { onTestFinished } from 'vitest';
import { startTestSite, type TestSite, type TestSiteOptions } from '../../support/site.js';

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws for other bodies. */
  json(): unknown;
}

export interface PagesSite {
  readonly site: TestSite;
  ask(route: string, token?: string, headers?: Readonly<Record<string, string>>): Promise<Asked>;
}

export const entry = '/pages/api/v1.php';

/** Closed when the test is done. */
export async function startPagesSite(options: TestSiteOptions): Promise<PagesSite> {
  const site = await startTestSite({ ...options, env: { HCD_PAGES_REST_API_ENABLED: '1', ...options.env } });
  onTestFinished(() => site.close());
  return { site, ask: (route, token, headers) => ask(site, { route, token, headers }) };
}

async function ask(
  site: TestSite,
  asked: {
    readonly route: string;
    readonly token: string | undefined;
    readonly headers: Readonly<Record<string, string>> | undefined;
  },
): Promise<Asked> {
  const response = await fetch(`${site.url}${entry}?path=${asked.route}`, {
    headers: { ...(asked.token === undefined ? {} : { Authorization: `Bearer ${asked.token}` }), ...asked.headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as unknown };
}
