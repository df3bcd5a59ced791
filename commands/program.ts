/** The single list of commands, in the order in which help shows them. */

import { makeCompletion } from './completion.js';
import { configShow } from './config/show.js';
import { makeHelp } from './help.js';
import { migrate } from './migrate/migrate.js';
import { readVersion } from './package-info.js';
import { serve } from './serve/serve.js';
import type { Program } from './tree.js';

/** The whole program. `help` and `completion` get it late, since they stand in the list themselves. */
export function createProgram(): Program {
  const program: Program = Object.freeze({
    version: readVersion(),
    groups: Object.freeze([{ path: 'config', summary: 'The configuration of the process' }]),
    commands: Object.freeze([serve, migrate, configShow, makeCompletion(() => program), makeHelp(() => program)]),
  });
  return program;
}
