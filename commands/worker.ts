/** `hcd worker`: deliveries of webhooks, planned publication and the removal of what is old. */
import { integerValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { optional, toggle } from './parameters.js';

export const command = defineCommand({
  path: 'worker',
  summary: 'Deliver webhooks, publish on time, remove what is old',
  description:
    'Sends the deliveries that wait, publishes and withdraws resources on their planned dates, and removes what is past its time: finished deliveries, ended tokens and sessions, kept answers, rows of the audit log. Any number of workers may run, on any number of machines: each delivery is sent by one of them.\n\nWith --once it does what is due and ends, which suits cron. Without it the worker runs until SIGTERM (or Ctrl-C): then it takes nothing new and ends what is under way, within 20 seconds; a second signal ends it at once, and another worker repeats what was under way when its lease has ended.\n\nA delivery that fails is repeated after 30 seconds, then after twice as long each time, up to 12 hours, until gateway_webhook_max_attempts is reached.',
  arguments: {},
  options: {
    once: toggle('Do what is due, then end'),
    limit: optional(integerValue({ min: 1, max: 1_000_000 }), {
      placeholder: 'N',
      description: 'Deliveries of one pass, instead of gateway_webhook_worker_limit',
    }),
    interval: optional(integerValue({ min: 1, max: 3600 }), {
      placeholder: 'SECONDS',
      description: 'Longest pause between two looks for work; 1 when left out',
    }),
  },
  examples: [
    { line: 'worker', does: 'Run beside the server until it is told to stop' },
    { line: 'worker --once --quiet', does: 'Do what is due, from cron every minute' },
  ],
  endsItself: true,
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./worker/run-worker.js')).runWorkerCommand(options, deps),
});
