/** The client as a site ships it: one file without names that only people need. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { repository } from '../architecture/source-file.js';

/** The client and the check of webhooks, as an ES module or as the global `hcd`. */
export async function bundleClient(format: 'es' | 'iife'): Promise<string> {
  const entry = '\0all';
  const folder = join(repository, 'client/src');
  const bundle = await rolldown({
    input: entry,
    plugins: [
      {
        name: 'all',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) =>
          id === entry
            ? `export * from '${join(folder, 'client.ts')}';\nexport * from '${join(folder, 'webhooks.ts')}';`
            : null,
      },
    ],
    resolve: { extensionAlias: { '.js': ['.ts'] } },
  });
  const { output } = await bundle.generate({ format, name: 'hcd', minify: true });
  await bundle.close();
  return output[0].code;
}
