/** Image variables as `images=full` shows them (docs/files.md#pictures-in-answers). */
import { typeOfName } from '../../files/file-type.js';
import { decodedPath, encodePath } from '../../files/media-path.js';
import { batchesOf } from '../../values/batches.js';
import type { ValueForm } from '../query/ast.js';
import type { SitePlace } from '../rules/site-address.js';
import type { ContentReader, PictureFacts } from './select-rows.js';
import { SiteView } from './site-view.js';
import { setOwn, type TvSlot } from './template-variables.js';

/** Pictures of one answer that are looked at together. */
const atOnce = 8;
const unknown = { width: null, height: null, placeholder: null } as const;

export async function describeImages(
  reader: ContentReader,
  { slots, form }: { readonly slots: readonly TvSlot[]; readonly form: ValueForm },
): Promise<void> {
  const site = new SiteView(reader, form);
  const shown: { readonly slot: TvSlot; readonly url: string; readonly path: string | null }[] = [];
  for (const slot of slots) {
    const { text, context, variable: tv } = slot;
    if (tv.type !== 'image') continue;
    if (text.trim() === '' || text.startsWith('@')) setOwn(slot.tvs, tv.name, null);
    else {
      const file = { text: text.replace(ourVersion, ''), context, tv: tv.id };
      const url = form.urls === null ? site.file(file, 'site') : file.text;
      shown.push({ slot, url, path: pathOf(url, reader.site.place(context)) });
    }
  }
  const facts = await factsOf(reader, new Set(shown.map(({ path }) => path)));
  for (const { slot, url, path } of shown) {
    const { version, file, ...found } = facts.get(path) ?? { ...unknown, version: null, file: unencoded(path) };
    setOwn(slot.tvs, slot.variable.name, {
      url: addressWith(file, { url, path }) + (version === null ? '' : `?v=${version}`),
      ...{
        width: found.width,
        height: found.height,
        type: typeOf(file ?? url.split(/[?#]/, 1)[0] ?? ''),
        placeholder: found.placeholder,
        ...(found.placeholder && found.widths ? { widths: found.widths } : {}),
      },
    });
  }
}

/** At the end of an address that was copied from an answer. */
const ourVersion = /\?v=[0-9a-f]{16}$/;

/** Stored paths are names of files; spaces and commas would end an address in `srcset`. */
function addressWith(
  file: string | null,
  { url, path }: { readonly url: string; readonly path: string | null },
): string {
  if (file === null || path === null) return url;
  return url.slice(0, url.length - path.length) + encodePath(file);
}

/** Of a file that is not there: null for what may be encoded or have a fragment. */
function unencoded(path: string | null): string | null {
  return path === null || /[#%]/.test(path) ? null : path;
}

function pathOf(url: string, { origin, files }: SitePlace): string | null {
  const host = [files, origin].find((one) => one !== '' && url.startsWith(`${one}/`)) ?? '';
  const local = url.slice(host.length);
  return local.startsWith('/files/') && !local.includes('?') ? local.slice('/files/'.length) : null;
}

interface FoundPicture extends PictureFacts {
  /** The name, where the stored path is an address. */
  readonly file: string;
}

async function factsOf(
  { pictures }: ContentReader,
  paths: ReadonlySet<string | null>,
): Promise<ReadonlyMap<string | null, FoundPicture>> {
  const facts = new Map<string | null, FoundPicture>();
  for (const some of batchesOf([...paths], atOnce)) {
    await Promise.all(
      some.map(async (path) => {
        for (const file of path === null ? [] : new Set([path, decodedPath(path)])) {
          const found = await pictures?.(file);
          if (!found) continue;
          facts.set(path, { ...found, file });
          return;
        }
      }),
    );
  }
  return facts;
}

/** By the name, as the server sends it; null for other names. */
function typeOf(path: string): string | null {
  const type = typeOfName(path);
  return type !== null && /^image\/(?:avif|gif|jpeg|png|svg\+xml|webp)$/.test(type) ? type : null;
}
