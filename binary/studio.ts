/** Bundles the page of Studio for browsers. Part of `npm run build`. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './bundle.js';

const target = join(root, 'assets/studio');
mkdirSync(target, { recursive: true });
for (const file of ['index.html', 'style.css']) copyFileSync(join(root, 'studio', file), join(target, file));
// Previews have the look of the example site.
copyFileSync(join(root, 'examples/static-site/public/style.css'), join(target, 'frame.css'));
const page = await rolldown({
  input: join(root, 'studio/src/main.tsx'),
  platform: 'browser',
  tsconfig: join(root, 'studio/tsconfig.json'),
});
await page.write({ file: join(target, 'app.js'), format: 'iife', minify: true });
