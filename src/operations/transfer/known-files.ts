/** The folder of files of an own store, for what values of image variables name. */
import { mediaSources } from '../../content/models/elements.js';
import { isFileSource } from '../../content/rules/media-source.js';
import { decodedPath, filesBase } from '../../files/media-path.js';
import { walkFiles } from '../../files/media-store.js';
import type { Reader } from '../../store/base/database.js';

interface Place {
  readonly content: Reader;
  readonly prefix: string;
}

export class KnownFiles {
  readonly #folder: string;
  #known: Promise<ReadonlySet<string>> | undefined;
  /** A media source that is not a folder of this server may have any picture. */
  isElsewhere: boolean | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** False for what is no path: an address, a tag, a binding. Any folder may be that of the media source. */
  async lacks(text: string, site: Place): Promise<boolean> {
    if (/^\s*$|^@|^[a-z][a-z0-9+.-]*:|^\/\/|\[\[/i.test(text)) return false;
    const [path = ''] = text.trim().split(/[?#]/, 1);
    const below = path.startsWith(`${filesBase}/`) ? path.slice(filesBase.length + 1) : path.replace(/^(?:\.?\/)+/, '');
    this.#known ??= this.#read();
    const known = await this.#known;
    if ([below, text.trim(), decodedPath(below)].some((one) => known.has(one))) return false;
    this.isElsewhere ??= await hasOtherSource(site);
    return !this.isElsewhere;
  }

  async #read(): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for await (const path of walkFiles(this.#folder)) {
      for (let at = -1; at !== 0; at = path.indexOf('/', at) + 1) known.add(path.slice(Math.max(at, 0)));
    }
    return known;
  }
}

async function hasOtherSource({ content, prefix }: Place): Promise<boolean> {
  const rows = await mediaSources.on(content, prefix).lookUpAll({}, { attributes: ['classKey'] });
  return rows.some(({ classKey }) => !isFileSource(classKey));
}
