/**
 * What the configuration needs to know of database addresses: the scheme, relative paths, and masking for print. The
 * full grammar and its refusals belong to the store, which opens them.
 */
import { resolve } from 'node:path';
import { accept, type Checked } from '../values/checked.js';
import { refusal, type ValueType } from './value-type.js';

const accepts = 'sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB (mysql:// too, ?socketPath= for a socket)';
const knownScheme = /^(?:sqlite:|(?:mariadb|mysql):\/\/)./is;

function parseDatabaseUrl(text: string): Checked<string> {
  // The text may hold a password, so a refusal shows it masked.
  return knownScheme.test(text) ? accept(text) : refusal(accepts, maskDatabaseUrl(text));
}

/** An address of a database with a known scheme; nothing is opened. */
export const databaseUrlValue: ValueType<string> = {
  kind: 'text',
  accepts,
  parse: parseDatabaseUrl,
  format: (value) => value,
};

/** Makes the path of a `sqlite:` address absolute against a folder; other addresses come back unchanged. */
export function resolveDatabaseUrl(url: string, folder: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?([^/:].*|\/(?!\/).*)$/is.exec(url)?.[1];
  return path === undefined ? url : `sqlite:${resolve(folder, path)}`;
}

/**
 * The address with its password replaced; also for texts that are not addresses, such as one without a scheme,
 * and for a password among the parameters.
 */
export function maskDatabaseUrl(url: string): string {
  if (/^sqlite:/i.test(url)) return url;
  return url
    .replace(/^((?:[a-z][a-z0-9+.-]*:\/{0,2})?[^:/?#@]*):(?!\/\/).*@/is, '$1:***@')
    .replace(/([?&](?:[^=&#]*(?:pass|pwd|secret|token|key)[^=&#]*)=)[^&#]*/gi, '$1***');
}
