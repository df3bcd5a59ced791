/** Load by wrk whose every request is another visitor, or always the same one. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, pinTo } from '../find-program.js';
import { nextVisitors, userAgent } from './visitors.js';

export interface VisitorLoad {
  readonly port: number;
  readonly path: string;
  readonly seconds: number;
  readonly connections: number;
  /** The visitor: a new one each time, or the same one. */
  readonly visitors: 'new' | 'same';
  /** Folder for the file that wrk reads. */
  readonly folder: string;
}

export interface VisitorFigures {
  /** Answers a second. */
  readonly rate: number;
  readonly answers: number;
  readonly p99Ms: number;
  readonly bad: number;
}

const script = `local at, path, isNew = 0, nil, true
init = function(args)
  path = args[1]
  isNew = args[2] == 'new'
  at = tonumber(args[3])
end
local headers = { ['User-Agent'] = '${userAgent}' }
request = function()
  if isNew then at = at + 1 end
  headers['X-Forwarded-For'] = string.format('%d.%d.%d.%d', 20 + math.floor(at / 16777216) % 200,
    math.floor(at / 65536) % 256, math.floor(at / 256) % 256, at % 256)
  return wrk.format('GET', path, headers)
end
done = function(summary, latency)
  local errors = summary.errors
  local bad = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('{"requests":%d,"micros":%d,"bad":%d,"p99":%d}\\n',
    summary.requests, summary.duration, bad, latency:percentile(99)))
end
`;

/** Needs wrk. */
export async function loadByVisitors(request: VisitorLoad): Promise<VisitorFigures> {
  const { port, path, seconds, connections, visitors, folder } = request;
  const file = join(folder, 'visitors.lua');
  await writeFile(file, script);
  const [program = '', ...args] = [
    ...[...pinTo(1), findProgram('wrk') ?? 'wrk', '-t', '1', '-c', String(connections), '-d', `${seconds}s`],
    ...['--timeout', '20s', '-s', file, `http://127.0.0.1:${port}`, '--', path, visitors, String(nextVisitors())],
  ];
  const { stdout } = await promisify(execFile)(program, args);
  const found: { requests: number; micros: number; bad: number; p99: number } = JSON.parse(
    /\{"requests".*\}/.exec(stdout)?.[0] ?? 'null',
  );
  const { requests: answers, micros, bad, p99 } = found;
  return { rate: (answers / micros) * 1e6, answers, p99Ms: p99 / 1000, bad };
}
