/** 300 connections from one address that ask without pause, in a process of their own: `flood.js KIND PORT KEY`. */
import { load, type Question } from '../load.js';

const list = (at: number, more = '') => `/api/v1/resources?limit=100&filter[id][neq]=${1e6 + at}${more}`;

/** The request of each kind by its number. */
export const floods: Readonly<Record<string, (at: number, key: string) => Question>> = {
  'cheap reads': (at) => ({ path: `/api/v1/resources?limit=1&x=${at}` }),
  'new lists': (at) => ({ path: list(at) }),
  searches: (at) => ({ path: `/api/v1/resources?search=the&filter[id][neq]=${1e6 + at}` }),
  'unknown routes': (at) => ({ path: `/api/v1/none/${at}` }),
  OPTIONS: () => ({ method: 'OPTIONS', path: '/api/v1/resources' }),
  'health with queries': (at) => ({ path: `/api/v1/health?y=${at}` }),
  'queries that end in /health': (at) => ({ path: list(at, '&y=/health') }),
  'wrong keys': (at) => ({ path: `/api/v1/resources?x=${at}`, headers: { 'x-api-key': `gk_wrong${at}` } }),
  'a valid key': (at, key) => ({ path: list(at), headers: { 'x-api-key': key } }),
  bodies: (at, key) => ({
    ...{ method: 'POST', path: '/api/v1/resources' },
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ pagetitle: `Flood ${at}`, alias: `flood-${at}-${process.pid}` }),
  }),
  // They promise a kilobyte and send nine bytes of it.
  'slow bodies': (at, key) => ({
    ...{ method: 'POST', path: '/api/v1/resources' },
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': '1000' },
    body: `{"x":${at}`,
  }),
};

const [, program = '', kind = '', port, key = ''] = process.argv;
const flood = floods[kind];
if (program === import.meta.filename && flood !== undefined) {
  await load({
    ...{ port: Number(port), connections: 300, from: '127.0.0.2', onStatus: () => undefined },
    question: (at) => flood(at, key),
  });
}
