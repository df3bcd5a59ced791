// Pages are built to files; the routes with `prerender = false` run in the server of the adapter.
import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

export default defineConfig({ adapter: node({ mode: 'standalone' }), devToolbar: { enabled: false } });
