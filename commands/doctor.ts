/** `hcd doctor`: looks for everything that is wrong or will be, and says what to do. Changes nothing. */
import { defineCommand } from './command.js';

export const command = defineCommand({
  path: 'doctor',
  summary: 'Look for problems and say what to do',
  description:
    'Checks Node.js, the configuration, the database and its server, the content tables, settings and resources, and lists a row per finding. Changes nothing: statements that would help are printed for the owner of the database. Ends with 1 when there are errors, with 0 when there are warnings only. What cannot be checked, for example while the database is down, is listed as such.',
  arguments: {},
  options: {},
  examples: [
    { line: 'doctor', does: 'Check everything that is configured here' },
    { line: 'doctor --database mariadb://hcd@db.example/site --json', does: 'Check another database, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (_options, deps) => (await import('./doctor/run-doctor.js')).runDoctor(deps),
});
