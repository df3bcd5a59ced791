/** Bundles the page of Studio for browsers. Part of `npm run build`. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './bundle.js';

const target = join(root, 'assets/studio');
mkdirSync(target, { recursive: true });
copyFileSync(join(root, 'studio/index.html'), join(target, 'index.html'));
// Previews have the look of the example site.
copyFileSync(join(root, 'examples/static-site/public/style.css'), join(target, 'frame.css'));
const styles = ['node_modules/uplot/dist/uPlot.min.css', 'studio/style.css'];
writeFileSync(join(target, 'style.css'), styles.map((file) => readFileSync(join(root, file), 'utf8')).join('\n'));
const page = await rolldown({
  input: join(root, 'studio/src/main.tsx'),
  platform: 'browser',
  tsconfig: join(root, 'studio/tsconfig.json'),
});
await page.write({ file: join(target, 'app.js'), format: 'iife', minify: true });
