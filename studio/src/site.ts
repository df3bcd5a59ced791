/** What every room works on: the commands, and whether they may change something. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CommandView, StudioAbout } from '../../commands/studio/command-view.js';

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
