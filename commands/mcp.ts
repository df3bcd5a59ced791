/** `hcd mcp`: serves the site to assistants. */
import { textValue } from '../src/config/value-type.js';
import { loadOptional } from '../src/errors/optional-package.js';
import { defineSiteCommand } from './command.js';
import { optional, toggle, usageError } from './parameters.js';

export const command = defineSiteCommand({
  description:
    'Serves the site to an assistant by the Model Context Protocol on standard input and output: resources, search, the tree of pages, templates, page documents, section types and statistics of banners. It works on the configured database and needs no running server, but the package @modelcontextprotocol/sdk, which is installed next to hcd: npm install @modelcontextprotocol/sdk@1. The assistant may do what the API key may do; the key is --key, or the environment variable HCD_KEY, which other users of the machine cannot read.\n\nWithout --write the assistant only reads. With --write it also creates and changes resources, and edits and publishes page documents, by the rules of the gateway and with rows in its audit log. The command ends when the assistant closes its input.',
  options: {
    key: optional(
      textValue({ accepts: 'an API key', pattern: /^[\x21-\x7e]+$/, shown: () => '***' }),
      'API key (default: HCD_KEY)',
    ),
    write: toggle('Let the assistant change content'),
  },
  examples: {
    mcp: 'Serve the site for reading, with the key in HCD_KEY',
    'mcp --write': 'Also let the assistant change content',
  },
  endsItself: true,
  // Clients show standard error to people as problems.
  logLevel: 'warn',
  async run({ key, write }, deps) {
    const credential = key ?? deps.env['HCD_KEY'];
    if (credential === undefined || credential === '') {
      throw usageError({ '--key': 'is required, or HCD_KEY: hcd key create --scopes resources.read makes a key' });
    }
    // Help needs neither the server nor the protocol.
    const [{ openSiteServices }, { serveTools }] = await Promise.all([
      import('./mcp/site-services.js'),
      loadOptional({ user: 'hcd mcp', spec: '@modelcontextprotocol/sdk@1' }, () => import('./mcp/serve-tools.js')),
    ]);
    const services = await openSiteServices(deps, credential);
    const { stdin, stdout } = deps.io;
    await serveTools({ services, writes: write, deps, input: stdin.stream, output: stdout.stream, stop: deps.stop });
    await services.close();
    return { kind: 'nothing', hasWritten: true };
  },
});
