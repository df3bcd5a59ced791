/** Load at fixed times, every request another visitor: the server is never busy to its limit, nor woken for no reason. */
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pinTo } from '../find-program.js';
import { nextVisitors } from './visitors.js';

export interface PacedLoad {
  readonly port: number;
  readonly path: string;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly connections: number;
}

/** Latencies count from the time at which a request was due. */
export interface PacedFigures {
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bad: number;
}

const program = join(dirname(fileURLToPath(import.meta.url)), 'paced-client.js');

export async function loadAtPace(request: PacedLoad): Promise<PacedFigures> {
  const { port, path, rate, seconds, connections } = request;
  const [file = '', ...args] = [
    ...[...pinTo(1), process.execPath, program, '--port', String(port), '--path', path, '--rate', String(rate)],
    ...['--seconds', String(seconds), '--connections', String(connections), '--first', String(nextVisitors())],
  ];
  const { stdout } = await promisify(execFile)(file, args);
  const found: PacedFigures = JSON.parse(stdout);
  return found;
}
