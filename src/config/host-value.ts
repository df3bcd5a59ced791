/** The address that a server listens on: an IP address or a host name, never a port or an address of the web. */

import { isIP } from 'node:net';
import { accept } from '../values/checked.js';
import { refusal, type ValueType } from './value-type.js';

const accepts = 'a host name or IP address';
const label = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i;

export const hostValue: ValueType<string> = {
  kind: 'text',
  accepts,
  parse: (text) => (isIP(text) !== 0 || isHostName(text) ? accept(text) : refusal(accepts, text)),
  format: (host) => host,
};

/** Digits at the end are a port or a broken IP address: no name ends in them. */
function isHostName(text: string): boolean {
  const labels = text.split('.');
  return text.length <= 253 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '');
}
