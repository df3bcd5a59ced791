/** `hcd resource delete ID`: marks a branch as deleted, or removes one row for good. */
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { eventsParameter } from './field-flags.js';
import { idValue } from './id-value.js';

export const command = defineCommand({
  path: 'resource delete',
  summary: 'Delete a resource',
  description:
    'Marks a resource and everything below it as deleted; hcd resource restore takes it back. With --force the row of this one resource is removed for good, with its template variables; what lies below it stays and has no parent then. The start page and the error page of a site cannot be deleted.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { force: toggle('Remove the row for good, deleted before or not'), events: eventsParameter },
  examples: [
    { line: 'resource delete 42', does: 'Delete a branch so that it can be restored' },
    { line: 'resource delete 42 --force --yes', does: 'Remove one resource for good without being asked' },
  ],
  destructive: { when: { says: 'With --force', holds: ({ force }) => force } },
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-write.js')).runDelete(options, deps),
});
