/** Copies Swagger UI from its package to the files of the API reference. Part of `npm run build`. */
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const copies = {
  'swagger-ui-bundle.js': 'swagger-ui.js',
  'swagger-ui.css': 'swagger-ui.css',
  LICENSE: 'swagger-ui.LICENSE',
  NOTICE: 'swagger-ui.NOTICE',
};
for (const [from, to] of Object.entries(copies)) {
  const source = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${from}`));
  copyFileSync(source, new URL(`../../assets/gateway-docs/${to}`, import.meta.url));
}
