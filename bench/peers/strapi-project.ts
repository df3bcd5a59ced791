/** The files of a Strapi project with one content type, as `strapi new` makes them, and the script that fills it. */

export const typeName = 'api::page.page';

const schema = {
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: false },
  attributes: {
    title: { type: 'string' },
    uri: { type: 'string', unique: true },
    parent: { type: 'integer' },
    menuOrder: { type: 'integer' },
    published: { type: 'boolean' },
    content: { type: 'text' },
    date: { type: 'datetime' },
  },
  // Queries of the REST interface look pages up by these.
  indexes: [
    { name: 'pages_by_parent', columns: ['parent', 'menu_order'] },
    { name: 'pages_by_uri', columns: ['uri'] },
  ],
};

const middlewares = [
  'logger',
  'errors',
  'security',
  'cors',
  'poweredBy',
  'query',
  'body',
  'session',
  'favicon',
  'public',
];

const core = (kind: string) =>
  `module.exports = require('@strapi/strapi').factories.createCore${kind}('${typeName}');\n`;

const setup = `const { readFileSync, writeFileSync } = require('node:fs');
const { createStrapi } = require('@strapi/strapi');
(async () => {
  const app = await createStrapi({ appDir: __dirname, distDir: __dirname }).load();
  const pages = JSON.parse(readFileSync('pages.json', 'utf8'));
  for (let at = 0; at < pages.length; at += 50) {
    await app.db.query('${typeName}').createMany({ data: pages.slice(at, at + 50) });
  }
  const role = await app.db.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } });
  for (const action of ['find', 'findOne']) {
    const data = { action: '${typeName}.' + action, role: role.id };
    await app.db.query('plugin::users-permissions.permission').create({ data });
  }
  const token = { name: 'bench', description: '', type: 'full-access', lifespan: null };
  writeFileSync('token', (await app.service('admin::api-token').create(token)).accessKey);
  await app.destroy();
  process.exit(0);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
`;

/** `database` is the connection as Strapi takes it. */
export function strapiFiles(database: object): Record<string, string> {
  const asModule = (value: unknown) => `module.exports = ${JSON.stringify(value, null, 2)};\n`;
  const salt = 'a salt of the bench of peers';
  return {
    'package.json': JSON.stringify({
      ...{ name: 'strapi-of-the-bench', private: true, version: '0.0.0', strapi: { uuid: false } },
      dependencies: { '@strapi/strapi': '*', '@strapi/plugin-users-permissions': '*' },
    }),
    'config/database.js': asModule({ connection: database }),
    'config/server.js':
      "module.exports = ({ env }) => ({ host: '127.0.0.1', port: env.int('PORT', 1337), app: { keys: ['one', 'two'] } });\n",
    'config/admin.js': asModule({
      ...{ serveAdminPanel: false, auth: { secret: salt }, apiToken: { salt } },
      ...{ transfer: { token: { salt } }, secrets: { encryptionKey: salt }, flags: { nps: false, promoteEE: false } },
    }),
    'config/api.js': asModule({ rest: { defaultLimit: 25, maxLimit: 100, withCount: true } }),
    'config/plugins.js': asModule({ 'users-permissions': { config: { jwtSecret: salt } } }),
    'config/middlewares.js': asModule(middlewares.map((name) => `strapi::${name}`)),
    'src/index.js': 'module.exports = { register() {}, bootstrap() {} };\n',
    'src/api/page/content-types/page/schema.json': JSON.stringify(schema, null, 2),
    'src/api/page/controllers/page.js': core('Controller'),
    'src/api/page/services/page.js': core('Service'),
    'src/api/page/routes/page.js': core('Router'),
    'public/uploads/.gitkeep': '',
    'setup.js': setup,
  };
}
