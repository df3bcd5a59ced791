/** `hcd token create`: a new token for the page delivery API. */
import { textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { expiryValue } from '../key/parameters.js';
import { optional, required } from '../parameters.js';
import { scopesValue } from './parameters.js';

const nameAccepts = 'a text of 1 to 100 characters without line breaks and other controls';

export const command = defineCommand({
  path: 'token create',
  summary: 'Make a token for the page delivery API',
  description:
    'Makes a token and prints it, once: the setting pages_rest_tokens keeps only a digest, so a lost token is replaced and never shown again. Clients send it as "Authorization: Bearer TOKEN". It works from the next request on, without a restart.\n\nThe scope pages.read opens the pages, catalog.read the section types and the health route. Both only read what has been published. Tokens are for servers: a browser would show them to everybody.\n\nRequests with one token are limited by pages_rest_throttle_per_minute, wherever they come from.',
  arguments: {},
  options: {
    scopes: required(scopesValue, {
      placeholder: 'LIST',
      description: 'What the token opens, separated by commas',
      question: 'What does the token open?',
    }),
    name: optional(textValue({ accepts: nameAccepts, pattern: /^(?=.*\S)\P{Cc}{1,100}$/u }), {
      placeholder: 'NAME',
      description: 'Whose token it is, for people',
    }),
    expires: optional(expiryValue, { placeholder: 'WHEN', description: 'When the token ends; never when left out' }),
  },
  examples: [
    {
      line: 'token create --scopes pages.read,catalog.read --name website --expires 90d',
      does: 'Make a token with which a website reads for three months',
    },
    { line: 'token create --scopes pages.read --json', does: 'Make a token for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-create.js')).runCreate(options, deps),
});
