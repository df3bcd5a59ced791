/** Image variables as `images=full` shows them (docs/files.md#pictures-in-answers). */
import { batchesOf } from '../../values/batches.js';
import type { ValueForm } from '../query/ast.js';
import type { SitePlace } from '../rules/site-address.js';
import { fileAddresses } from './resolve-texts.js';
import type { ContentReader, PictureFacts } from './select-rows.js';
import { setOwn, type TvSlot } from './template-variables.js';

/** Pictures of one answer that are looked at together. */
const together = 8;
const unknown = { width: null, height: null, placeholder: null } as const;

export async function describeImages(
  reader: ContentReader,
  { slots, form }: { readonly slots: readonly TvSlot[]; readonly form: ValueForm },
): Promise<void> {
  const addressOf = fileAddresses(reader, form);
  const shown: { readonly slot: TvSlot; readonly url: string; readonly path: string | null }[] = [];
  for (const slot of slots) {
    const { tv, text } = slot;
    if (tv.facts === null || tv.facts.type !== 'image') continue;
    if (text.trim() === '' || text.startsWith('@')) setOwn(slot.tvs, tv.name, null);
    else {
      const url = addressOf({ text, kind: 'file', firstTag: -1, context: tv.facts.context, tv: tv.tv });
      shown.push({ slot, url, path: pathOf(url, reader.site.place(tv.facts.context)) });
    }
  }
  const facts = await factsOf(reader, new Set(shown.map(({ path }) => path)));
  for (const { slot, url, path } of shown) {
    const { version, ...found } = facts.get(path) ?? { ...unknown, version: null };
    setOwn(slot.tvs, slot.tv.name, {
      url: encoded(url, path) + (version === null ? '' : `?v=${version}`),
      ...{ width: found.width, height: found.height, type: typeOf(url), placeholder: found.placeholder },
    });
  }
}

/** Stored paths are names of files; spaces and commas would end an address in `srcset`. */
function encoded(url: string, path: string | null): string {
  if (path === null) return url;
  return url.slice(0, url.length - path.length) + path.split('/').map(encodeURIComponent).join('/');
}

/** Below `/files/`; null for the address of another place. */
function pathOf(url: string, { origin, files }: SitePlace): string | null {
  const host = [files, origin].find((one) => one !== '' && url.startsWith(`${one}/`)) ?? '';
  const local = url.slice(host.length);
  return local.startsWith('/files/') && !/[?#]/.test(local) ? local.slice('/files/'.length) : null;
}

async function factsOf(
  { pictures }: ContentReader,
  paths: ReadonlySet<string | null>,
): Promise<ReadonlyMap<string | null, PictureFacts>> {
  const facts = new Map<string | null, PictureFacts>();
  for (const some of batchesOf([...paths], together)) {
    const found = await Promise.all(
      some.map(async (path) => (path === null ? null : ((await pictures?.(path)) ?? null))),
    );
    for (const [at, one] of found.entries()) if (one !== null) facts.set(some[at] ?? null, one);
  }
  return facts;
}

const types: Readonly<Record<string, string>> = { jpg: 'jpeg', svg: 'svg+xml' };

/** By the name, as the server sends it; null for other names. */
function typeOf(url: string): string | null {
  const [path = ''] = url.split(/[?#]/, 1);
  const name = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return /^(?:avif|gif|jpe?g|png|svg|webp)$/.test(name) ? `image/${types[name] ?? name}` : null;
}
