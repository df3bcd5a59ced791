/** How most runs of a command end: with what it prints, or with what it refuses. */
import type { CliOutcome } from '../support/cli.js';

/** It did what it was asked and says nothing else. */
export const printed = (stdout: string): CliOutcome => ({ code: 0, stdout, stderr: '' });

/** It printed no result: 1 = refused or failed, 2 = wrong usage. */
export const refused = (stderr: string, code = 1): CliOutcome => ({ code, stdout: '', stderr });

/** It had nothing to print, and says so. */
export const noted = (stderr: string): CliOutcome => ({ code: 0, stdout: '', stderr });
