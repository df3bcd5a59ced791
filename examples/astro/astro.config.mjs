// Pages are built to files; the routes with `prerender = false` run in the server of the adapter.
import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { createClient } from 'hcd-client';

const hcd = createClient({ url: process.env.HCD_URL ?? 'http://127.0.0.1:8080', key: process.env.HCD_KEY });
const redirects = {};
for await (const { from, to } of hcd.redirects({ context: 'web' })) {
  redirects[`/${from.replace(/\/$/, '')}`] = /^https?:/.test(to) ? to : `/${to}`;
}

export default defineConfig({ adapter: node({ mode: 'standalone' }), devToolbar: { enabled: false }, redirects });
