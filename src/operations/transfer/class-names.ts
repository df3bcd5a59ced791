/** Class names have a namespace since version 3 of the CMS, and each version finds only its own spelling. */
import type { Scope } from './kind.js';
import type { Values } from './members.js';

const columns = ['class_key', 'principal_class', 'object_class', 'hash_class'] as const;
const namespaced = /^MODX\\Revolution\\(?:(\w+)\\)?(\w+)$/;
const ofResources = /^mod(?:Document|WebLink|SymLink|StaticResource|Resource)$/;

export function spelled({ prefix, tables }: Scope, values: Values): Values {
  const isVersion2 = tables.get(`${prefix}site_templates`)?.columns.has('preview_file') === false;
  const classes = columns.flatMap((column) => {
    const name = values[column];
    return typeof name === 'string' ? [[column, isVersion2 ? shortName(name) : longName(name)]] : [];
  });
  return classes.length === 0 ? values : { ...values, ...Object.fromEntries(classes) };
}

function shortName(name: string): string {
  const [, folder, own] = namespaced.exec(name) ?? [];
  if (own === undefined) return name;
  return folder === undefined ? own : `${folder.toLowerCase()}.${own}`;
}

function longName(name: string): string {
  return ofResources.test(name) ? `MODX\\Revolution\\${name}` : name;
}
