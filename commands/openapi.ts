/** `hcd openapi gateway|pages|banners`: the OpenAPI document of an interface, without a server. */
import { apiNames, choiceValue } from '../src/config/value-type.js';
import { defineSiteCommand } from './command.js';
import { required } from './parameters.js';
import { openapiDocument } from './serve/openapi-document.js';

export const command = defineSiteCommand({
  description:
    'Prints the OpenAPI 3.1 document of an interface exactly as the configured server gives it to a caller without a credential: with the registered objects and the settings of this site. Needs the database, but no server; the API can be turned off.',
  arguments: {
    name: required(choiceValue(apiNames), 'Interface to describe', { placeholder: 'API' }),
  },
  examples: {
    'openapi gateway > gateway.json': 'Save the document of the gateway',
    'openapi banners': 'Print the document of the banner API',
  },
  async run({ name }, deps) {
    const text = await openapiDocument(name, deps);
    return { kind: 'text', text: deps.io.stdout.isTerminal ? `${text}\n` : text, data: JSON.parse(text) };
  },
});
