/** What every room works on: the commands, whether they may change something, and the address of the page. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { CommandView, StudioAbout } from '../../commands/studio/command-view.js';
import { isObject, type RunResult } from './api.js';

export interface Site {
  readonly commands: readonly CommandView[];
  readonly about: StudioAbout;
}

export const SiteContext = createContext<Site>({
  commands: [],
  about: { version: '', read_only: true, database: '', pictures: '' },
});

/** Undefined: it is not offered, as are those that change something with `--read-only`. */
export function useCommand(path: string): CommandView | undefined {
  return useContext(SiteContext).commands.find((command) => command.path === path);
}

/** Receivers of webhooks get what is changed here, as they get what is changed through the gateway. */
export function withEvents(command: CommandView | undefined): Readonly<Record<string, true>> {
  const isThere = command?.options.some(({ name, placeholder }) => name === 'events' && placeholder === null);
  return isThere ? { events: true } : {};
}

/** Words of the path, decoded: `#/commands/banner%20list` is `['commands', 'banner list']`. */
export type Route = readonly string[];

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = (): void => setRoute(readRoute());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

export function linkTo(...words: readonly string[]): string {
  return `#/${words.map(encodeURIComponent).join('/')}`;
}

/** Opens what a command made. */
export function openMade(...words: readonly string[]) {
  return ({ data }: RunResult): void => {
    location.hash = linkTo(...words, isObject(data) ? String(data['id']) : '');
  };
}

function readRoute(): Route {
  const words = location.hash.replace(/^#\/?/, '').split('/');
  return words.filter((word) => word !== '').map(decoded);
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
