/** The list of commands, in the order of help. The file of a group has the path of the group, such as `oauth/client.ts`. */

import type { Command, CommandBody } from './command.js';
import { programVersion } from './host.js';

const groups = {
  config: 'Show the process configuration',
  key: 'Manage API keys of the gateway',
  oauth: 'Manage OAuth clients and access tokens',
  'oauth client': 'Manage OAuth clients',
  'oauth token': 'Manage OAuth access tokens',
  webhook: 'Manage webhook subscriptions',
  delivery: 'Manage webhook deliveries',
  token: 'Manage tokens of the page delivery API',
  preview: 'Manage previews of content that is not published',
  page: 'Edit and publish page documents',
  'section-type': 'Manage section types of pages',
  banner: 'Manage banners and their statistics',
  'banner key': 'Manage keys of the banner API',
  position: 'Manage banner positions',
  preset: 'Manage banner presets',
  user: 'Manage users',
  setting: 'Manage runtime and CMS settings',
  resource: 'Manage resources',
  element: 'Manage contexts, templates, chunks and other elements',
  redirect: 'Manage redirects of old addresses',
  media: 'Manage files and pictures of an own site',
  object: 'List and check registered objects',
  audit: 'Show and prune the audit log of the gateway',
  cache: 'Clear what servers keep in memory',
  db: 'Copy and check databases',
};

const commands: Readonly<Record<string, string>> = {
  init: 'Set up a database and create hcd.toml',
  demo: 'Load the sample site and print requests to try',
  serve: 'Serve the HTTP APIs',
  worker: 'Run background jobs: webhooks, schedules, cleanup',
  migrate: 'Update the database schema',
  backup: 'Write a backup of the database to a file',
  restore: 'Restore the database from a backup',
  export: 'Write the content of the site to a file',
  import: 'Import content from a file',
  diff: 'Show what an import would change',
  doctor: 'Find problems and how to fix them',
  status: 'Show servers, workers, requests and deliveries',
  explain: 'Explain an error code or a refused request',
  openapi: 'Print the OpenAPI document of an API',
  types: 'Print TypeScript types for this site',
  api: 'Send a request to a server',
  mcp: 'Serve the site to assistants',
  studio: 'Open the commands in a browser',
  'config show': 'Show the configuration and the source of each value',
  'key create': 'Create an API key',
  'key list': 'List API keys',
  'key show': 'Show an API key',
  'key rotate': 'Replace the secret of an API key',
  'key revoke': 'Revoke an API key',
  'oauth client add': 'Create an OAuth client',
  'oauth client list': 'List OAuth clients',
  'oauth client show': 'Show an OAuth client',
  'oauth client rotate-secret': 'Replace the secret of an OAuth client',
  'oauth client revoke': 'Revoke an OAuth client',
  'oauth token list': 'List access tokens',
  'oauth token revoke': 'Revoke an access token',
  'oauth token prune': 'Remove expired access tokens',
  'webhook add': 'Add a webhook subscription',
  'webhook list': 'List webhook subscriptions',
  'webhook show': 'Show a webhook subscription',
  'webhook update': 'Update a webhook subscription',
  'webhook enable': 'Turn on a webhook subscription',
  'webhook disable': 'Turn off a webhook subscription',
  'webhook remove': 'Remove a webhook subscription',
  'webhook rotate-secret': 'Replace the secret of a webhook subscription',
  'webhook test': 'Send a test event to a subscription',
  'webhook listen': 'Receive, verify and print deliveries locally',
  'webhook events': 'List events and their payloads',
  'delivery list': 'List webhook deliveries',
  'delivery show': 'Show a delivery, its attempts and its payload',
  'delivery retry': 'Send a delivery again',
  'delivery replay': 'Send missed deliveries again',
  'delivery prune': 'Remove old finished deliveries',
  'token create': 'Create a page token',
  'token list': 'List page tokens',
  'token revoke': 'Revoke a page token',
  'preview list': 'List previews',
  'preview revoke': 'End a preview',
  'page list': 'List pages with their state and schedule',
  'page show': 'Show a page or one of its documents',
  'page new': 'Create the draft of a page with example data',
  'page edit': 'Edit the draft of a page, or save it from a file',
  'page preview': 'Make a preview of the draft of a page',
  'page publish': 'Publish the draft of a page, now or at a time',
  'page unpublish': 'Unpublish a page, now or at a time',
  'page history': 'List the publications of a page',
  'page diff': 'Compare two documents of a page',
  'page rollback': 'Publish an earlier revision of a page again',
  'page import': 'Import pages from a file',
  'section-type list': 'List section types and their source',
  'section-type show': 'Show a section type',
  'section-type import': 'Add or replace section types from a file',
  'section-type remove': 'Remove a section type, or hide a shipped one',
  'banner list': 'List banners',
  'banner show': 'Show a banner',
  'banner add': 'Add a banner',
  'banner duplicate': 'Duplicate a banner',
  'banner update': 'Update a banner',
  'banner enable': 'Turn on a banner',
  'banner disable': 'Turn off a banner',
  'banner remove': 'Remove a banner',
  'banner stats': 'Show banner statistics',
  'banner recount': 'Recalculate statistics totals',
  'banner audit': 'List changes to banners, positions and presets',
  'banner import-clicks': 'Import clicks or impressions from a CSV file',
  'banner key show': 'Show the keys of the banner API',
  'banner key rotate': 'Replace the main key of the banner API',
  'banner key add': 'Create a read-only key for the banner API',
  'banner key remove': 'Revoke a read-only key of the banner API',
  'position list': 'List banner positions',
  'position show': 'Show a banner position',
  'position explain': 'Show what a position shows now, and why not the rest',
  'position add': 'Add a banner position',
  'position update': 'Update a banner position',
  'position remove': 'Remove a banner position',
  'position link': 'Add a banner to a position',
  'position unlink': 'Remove a banner from a position',
  'position order': 'Reorder the banners of a position',
  'preset list': 'List banner presets',
  'preset add': 'Add a banner preset',
  'preset remove': 'Remove a banner preset',
  'user add': 'Create a user',
  'user list': 'List users and their permissions',
  'user passwd': 'Change the password of a user',
  'user remove': 'Remove a user',
  'setting list': 'List settings and their values',
  'setting get': 'Show a setting',
  'setting set': 'Change a setting',
  'setting unset': 'Reset a setting to its default',
  'resource list': 'List resources',
  'resource show': 'Show a resource',
  'resource tree': 'Show resources as a tree',
  'resource create': 'Create a resource',
  'resource update': 'Update a resource',
  'resource preview': 'Make a preview of a resource',
  'resource publish': 'Publish a resource',
  'resource unpublish': 'Unpublish a resource',
  'resource link-translation': 'Link a page and its translation',
  'resource delete': 'Delete a resource',
  'resource restore': 'Restore a deleted resource',
  'redirect list': 'List old addresses and where they lead',
  'redirect add': 'Add a redirect of an old address',
  'redirect import': 'Add or replace redirects from a file',
  'redirect remove': 'Remove a redirect',
  'media put': 'Put a file into the media folder',
  'media list': 'List files',
  'media show': 'Show what a file is',
  'media remove': 'Remove a file',
  'element list': 'List elements of one kind',
  'element show': 'Show an element',
  'element create': 'Create an element',
  'element update': 'Update an element',
  'element remove': 'Remove an element',
  'object list': 'List registered objects',
  'object check': 'Check the definition file of an extra object',
  'audit list': 'List requests in the audit log',
  'audit prune': 'Remove old rows from the audit log',
  'cache clear': 'Make servers forget the answers that they keep',
  'db copy': 'Copy a database to SQLite or MariaDB',
  'db check': 'Check the integrity of the database, and repair it',
  completion: 'Print a shell completion script',
  help: 'Show help for a command or topic',
};

/** A command is loaded when it, or its help, is asked for. */
export function createProgram(): Program {
  return { version: programVersion, groups, commands, load };
}

/** Commands of groups that have a file of their own, so that the others start without it. */
const apart: ReadonlySet<string> = new Set([
  ...['banner stats', 'banner recount', 'banner import-clicks', 'db copy', 'db check'],
  ...['page edit', 'page preview', 'page diff', 'page import', 'position explain'],
  ...['resource tree', 'resource preview', 'webhook test', 'webhook listen'],
]);

export function commandFile(path: string): string {
  const owner = apart.has(path) ? path : (/^(.*) /.exec(path)?.[1] ?? path);
  return owner.replaceAll(' ', '/');
}

async function load(path: string): Promise<Command> {
  const file = `./${commandFile(path)}.js`;
  const found: { readonly command: CommandBody } | { readonly commands: Readonly<Record<string, CommandBody>> } =
    await import(file);
  const body = 'command' in found ? found.command : found.commands[lastWord(path)];
  if (body === undefined) throw new Error(`${file} has no command ${path}`);
  return { ...body, path, summary: commands[path] ?? '' };
}

export interface Program {
  readonly version: string;
  readonly groups: Readonly<Record<string, string>>;
  readonly commands: Readonly<Record<string, string>>;
  readonly load: (path: string) => Promise<Command>;
}

const sameVerb: Readonly<Record<string, string>> = { add: 'create', create: 'add' };

export function aliasOf(path: string): string | undefined {
  return sameVerb[lastWord(path)];
}

export function aliasPathOf(path: string): string | undefined {
  const alias = aliasOf(path);
  return alias === undefined ? undefined : `${path.slice(0, path.lastIndexOf(' ') + 1)}${alias}`;
}

export function lastWord(path: string): string {
  return path.slice(path.lastIndexOf(' ') + 1);
}

/** '' is the top. In the order of the list of commands. */
export function childrenOf(program: Program, path: string): readonly string[] {
  const start = path === '' ? '' : `${path} `;
  const below = Object.keys(program.commands).filter((command) => command.startsWith(start));
  return [...new Set(below.map((command) => `${start}${command.slice(start.length).split(' ')[0]}`))];
}

export function isCommand(program: Program, path: string): boolean {
  return Object.hasOwn(program.commands, path);
}

export function summaryOf({ commands, groups }: Program, path: string): string {
  return commands[path] ?? groups[path] ?? '';
}

export function loadAll(program: Program): Promise<readonly Command[]> {
  return Promise.all(Object.keys(program.commands).map(program.load));
}

/** Accepts an alias of the verb; null when there is neither a command nor a group of that name. */
export function findPath(program: Program, words: readonly string[]): string | null {
  const path = words.join(' ');
  const isThere = (one: string): boolean => one === '' || isCommand(program, one) || Object.hasOwn(program.groups, one);
  return [path, aliasPathOf(path) ?? path].find(isThere) ?? null;
}

export function namedPath(program: Program, words: readonly string[]): string {
  let path = '';
  for (const word of words.filter((candidate) => !candidate.startsWith('-'))) {
    const longer = findPath(program, [...path.split(' ').filter((part) => part !== ''), word]);
    if (longer !== null) path = longer;
    else if (path !== '') break;
  }
  return path;
}
