/** Style and script of the API reference: plain files of the package, read once. */
import { readFileSync } from 'node:fs';
import { assetPath } from '../../values/asset-path.js';

export interface DocsAsset {
  /** Name of the endpoint row. */
  readonly name: string;
  /** Path below `/docs`. */
  readonly path: string;
  readonly type: string;
  readonly summary: string;
  readonly read: () => string;
}

export const docsAssets = Object.freeze({
  style: {
    name: 'docs.style',
    path: 'style.css',
    type: 'text/css',
    summary: 'Style of the API reference',
    read: once(() => readAsset('style.css')),
  },
  script: {
    name: 'docs.script',
    path: 'app.js',
    type: 'text/javascript',
    summary: 'Script of the API reference',
    read: once(() => readAsset('app.js')),
  },
} satisfies Record<string, DocsAsset>);

function readAsset(file: string): string {
  return readFileSync(assetPath('gateway-docs', file), 'utf8');
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
