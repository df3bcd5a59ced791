/** What every room works on: the commands, whether they may change something, and the address of the page. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { CommandView, StudioAbout } from '../../commands/studio/command-view.js';

export interface Site {
  readonly commands: readonly CommandView[];
  readonly about: StudioAbout;
}

/** It stays the same as long as Studio runs. */
export let site: Site = { commands: [], about: { version: '', read_only: true, database: '', pictures: '' } };

export function openSite(found: Site): void {
  site = found;
}

/** Undefined: it is not offered, as are those that change something with `--read-only`. */
export function commandOf(path: string): CommandView | undefined {
  return site.commands.find((command) => command.path === path);
}

/** Receivers of webhooks get what is changed here, as they get what is changed through the gateway. */
export function withEvents(command: CommandView | undefined): Readonly<Record<string, true>> {
  const isThere = command?.options.some(({ name, placeholder }) => name === 'events' && placeholder === null);
  return isThere ? { events: true } : {};
}

/** Where this page shows a picture; null for one that is not in the media folder. */
export function pictureAddress(url: string): string | null {
  const [, path] = /^(?:https?:\/\/[^/]+)?\/files\/(.+)/.exec(url) ?? [];
  return path === undefined ? null : `${site.about.pictures}/${path}`;
}

export function useRoute() {
  const [route, setRoute] = useState(readRoute);
  // An effect after the paint would miss an address that changes before it.
  useLayoutEffect(() => {
    const follow = (): void => setRoute(readRoute());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

export function linkTo(...words: readonly string[]): string {
  return `#/${words.map(encodeURIComponent).join('/')}`;
}

/** Empty values are left out. */
export function withValues(address: string, values: Route['values']): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''));
  return query.size === 0 ? address : `${address}?${query}`;
}

export type Route = ReturnType<typeof readRoute>;

/** `#/banners/statistics?period=all` has the words `banners` and `statistics`. */
function readRoute() {
  const [path = '', query] = location.hash.replace(/^#\/?/, '').split('?');
  const words = path.split('/').filter((word) => word !== '');
  const values: Readonly<Record<string, string>> = Object.fromEntries(new URLSearchParams(query));
  return { words: words.map(decoded), values };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
