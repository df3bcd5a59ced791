/** The files of a Payload project: one collection of pages, its REST interface in a Next.js app, and the script that fills it. */

const config = (folder: string) => `import { sqliteAdapter } from '@payloadcms/db-sqlite';
import { buildConfig } from 'payload';

const isKnown = ({ req }) => Boolean(req.user);

export default buildConfig({
  secret: 'a secret of the bench of peers',
  telemetry: false,
  graphQL: { disable: true },
  admin: { user: 'users' },
  db: sqliteAdapter({
    client: { url: 'file:${folder}/data.db' },
    wal: true,
    busyTimeout: 5000,
    allowIDOnCreate: true,
  }),
  collections: [
    { slug: 'users', auth: { useAPIKey: true }, fields: [] },
    {
      slug: 'pages',
      access: { read: () => true, create: isKnown, update: isKnown },
      lockDocuments: false,
      fields: [
        { name: 'title', type: 'text' },
        { name: 'uri', type: 'text', unique: true, index: true },
        { name: 'parent', type: 'number', index: true },
        { name: 'menuOrder', type: 'number' },
        { name: 'published', type: 'checkbox' },
        { name: 'content', type: 'textarea' },
        { name: 'date', type: 'date' },
      ],
      indexes: [{ fields: ['parent', 'menuOrder'] }],
    },
  ],
});
`;

const nextConfig = (root: string) => `import { withPayload } from '@payloadcms/next/withPayload';

export default withPayload({
  outputFileTracingRoot: '${root}',
  turbopack: { root: '${root}' },
});
`;

const route = `import config from '@payload-config';
import { REST_GET, REST_PATCH, REST_POST } from '@payloadcms/next/routes';

export const GET = REST_GET(config);
export const POST = REST_POST(config);
export const PATCH = REST_PATCH(config);
`;

const setup = `import { readFileSync } from 'node:fs';
import { getPayload } from 'payload';
import config from './payload.config.js';

const [apiKey] = process.argv.slice(2);
const payload = await getPayload({ config });
const user = { email: 'bench@example.com', password: 'a password of the bench', enableAPIKey: true, apiKey };
await payload.create({ collection: 'users', data: user });
for (const data of JSON.parse(readFileSync('pages.json', 'utf8'))) await payload.create({ collection: 'pages', data });
process.exit(0);
`;

/** For a project in `folder` below `root`, which holds the installed packages. */
export function payloadFiles(folder: string, root: string): Record<string, string> {
  return {
    'package.json': JSON.stringify({ name: 'payload-of-the-bench', private: true, type: 'module' }),
    'payload.config.js': config(folder),
    'next.config.mjs': nextConfig(root),
    'jsconfig.json': JSON.stringify({ compilerOptions: { paths: { '@payload-config': ['./payload.config.js'] } } }),
    'app/api/[...slug]/route.js': route,
    'setup.js': setup,
  };
}
