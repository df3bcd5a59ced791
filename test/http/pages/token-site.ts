/** A site that serves the page delivery API, with tokens in its store and questions to it. */
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

export async function startPagesSite(options: TestSiteOptions): Promise<PagesSite> {
  const site = await startTestSite({ ...options, env: { HCD_PAGES_REST_API_ENABLED: '1', ...options.env } });
  return {
    site,
    async ask(route, token, headers) {
      const caller = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const response = await fetch(`${site.url}${entry}?path=${route}`, { headers: { ...caller, ...headers } });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as unknown };
    },
  };
}
