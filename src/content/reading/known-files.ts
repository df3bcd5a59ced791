/** The folder of files of an own store, for what values of image variables name. */
import { findMediaFile } from '../../files/media-folder.js';
import { decodedPath, filesBase } from '../../files/media-path.js';
import { walkFiles } from '../../files/media-store.js';
import type { Reader } from '../../store/base/database.js';
import { mediaSources } from '../models/elements.js';
import { isFileSource } from '../rules/media-source.js';

export class KnownFiles {
  readonly #folder: string;
  #known: Promise<ReadonlySet<string>> | undefined;
  /** A media source that is not a folder of this server may have any picture. */
  isElsewhere: boolean | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null for what is no path. Without `address` any folder may be that of the source: a write cannot read them all. */
  async problemOf(
    text: string,
    { content, prefix, address }: { readonly content: Reader; readonly prefix: string; readonly address?: string },
  ): Promise<string | null> {
    if (noPath.test(text) || noPath.test(address ?? '/')) return null;
    if (await (address === undefined ? this.#isKnown(text) : this.#isAt(address, text))) return null;
    const sources = () => mediaSources.on(content, prefix).lookUpAll({}, { attributes: ['classKey'] });
    this.isElsewhere ??= (await sources()).some(({ classKey }) => !isFileSource(classKey));
    return this.isElsewhere ? null : `names ${text}, which is not among the files of the site`;
  }

  async #isAt(...texts: readonly string[]): Promise<boolean> {
    for (const path of texts.flatMap((text) => [pathIn(text), decodedPath(pathIn(text))])) {
      if ((await findMediaFile(this.#folder, path)) !== null) return true;
    }
    return false;
  }

  async #isKnown(text: string): Promise<boolean> {
    if (this.#known === undefined && (await this.#isAt(text))) return true;
    this.#known ??= this.#read();
    const known = await this.#known;
    return [pathIn(text), text.trim(), decodedPath(pathIn(text))].some((one) => known.has(one));
  }

  async #read(): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for await (const path of walkFiles(this.#folder)) {
      for (let at = -1; at !== 0; at = path.indexOf('/', at) + 1) known.add(path.slice(Math.max(at, 0)));
    }
    return known;
  }
}

const noPath = /^\s*$|^@|^[a-z][a-z0-9+.-]*:|^\/\/|\[\[/i;

/** Below the folder of files. */
function pathIn(text: string): string {
  const [path = ''] = text.trim().split(/[?#]/, 1);
  return path.startsWith(`${filesBase}/`) ? path.slice(filesBase.length + 1) : path.replace(/^(?:\.?\/)+/, '');
}
