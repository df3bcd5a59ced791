/** Recognises addresses of video sites and works out the addresses of their players. Looks nothing up. */
import { parseUrl } from '../../values/parse-url.js';

export interface VideoEmbed {
  readonly provider: 'youtube' | 'vimeo' | 'rutube';
  readonly embedUrl: string;
  readonly watchUrl: string;
}

/** The player of a video site's address; null for a file or anything else. */
export function embedOf(address: string): VideoEmbed | null {
  const full = address.startsWith('//') ? `https:${address}` : address;
  const url = /^https?:/i.test(full) ? parseUrl(full) : null;
  if (url === null) return null;
  const host = url.hostname.replace(/^(www|m|player)\./, '');
  if (host === 'youtube.com' || host === 'youtube-nocookie.com' || host === 'youtu.be') return youtube(url, host);
  if (host === 'vimeo.com') return vimeo(url);
  return host === 'rutube.ru' ? rutube(url) : null;
}

function youtube(url: URL, host: string): VideoEmbed | null {
  const [, inPath] = /^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(url.pathname) ?? [];
  const id = host === 'youtu.be' ? url.pathname.slice(1) : (inPath ?? url.searchParams.get('v') ?? '');
  if (!/^[\w-]{6,20}$/.test(id)) return null;
  return {
    provider: 'youtube',
    // Sets no cookie before the video is played.
    embedUrl: `https://www.youtube-nocookie.com/embed/${id}`,
    watchUrl: `https://www.youtube.com/watch?v=${id}`,
  };
}

function vimeo(url: URL): VideoEmbed | null {
  const [, id] = /^\/(?:video\/)?(\d{4,15})\/?$/.exec(url.pathname) ?? [];
  if (id === undefined) return null;
  return { provider: 'vimeo', embedUrl: `https://player.vimeo.com/video/${id}`, watchUrl: `https://vimeo.com/${id}` };
}

function rutube(url: URL): VideoEmbed | null {
  const [, id] = /^\/(?:video|play\/embed)\/([0-9a-f]{32}|\d{5,12})\/?$/.exec(url.pathname) ?? [];
  if (id === undefined) return null;
  return {
    provider: 'rutube',
    embedUrl: `https://rutube.ru/play/embed/${id}`,
    watchUrl: `https://rutube.ru/video/${id}/`,
  };
}
