/**
 * The load: keep-alive connections that ask for the paths in turn, without pause. wrk where it is installed; else a
 * client of our own, slower, so that the bench runs everywhere.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, pinTo } from './find-program.js';

export interface LoadRequest {
  readonly port: number;
  readonly paths: readonly string[];
  readonly seconds: number;
  readonly connections: number;
  readonly client: 'wrk' | 'node';
  /** Folder for the files that wrk reads. */
  readonly folder: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoadResult {
  /** Answers a second. */
  readonly rate: number;
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were neither 2xx nor 304, and connections that broke. */
  readonly bad: number;
}

/** Which client can be used here. */
export function bestClient(): 'wrk' | 'node' {
  return findProgram('wrk') === undefined ? 'node' : 'wrk';
}

export function load(request: LoadRequest): Promise<LoadResult> {
  return request.client === 'wrk' ? loadWithWrk(request) : loadWithNode(request);
}

const script = `local requests = {}
local at = 0
init = function(args)
  for line in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", line) end
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
done = function(summary, latency)
  local errors = summary.errors
  local bad = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('{"requests":%d,"micros":%d,"bad":%d,"p50":%d,"p99":%d}\\n',
    summary.requests, summary.duration, bad, latency:percentile(50), latency:percentile(99)))
end
`;

async function loadWithWrk({
  port,
  paths,
  seconds,
  connections,
  folder,
  headers = {},
}: LoadRequest): Promise<LoadResult> {
  const scriptFile = join(folder, 'load.lua');
  const pathFile = join(folder, 'paths.txt');
  await writeFile(scriptFile, script);
  await writeFile(pathFile, `${paths.join('\n')}\n`);
  const [file = '', ...args] = [
    ...pinTo(1),
    findProgram('wrk') ?? 'wrk',
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '20s', '-s', scriptFile],
    ...[`http://127.0.0.1:${port}`, '--', pathFile],
  ];
  const { stdout } = await promisify(execFile)(file, args);
  const found: { requests: number; micros: number; bad: number; p50: number; p99: number } = JSON.parse(
    /\{"requests".*\}/.exec(stdout)?.[0] ?? 'null',
  );
  return {
    rate: (found.requests / found.micros) * 1e6,
    answers: found.requests,
    p50Ms: found.p50 / 1000,
    p99Ms: found.p99 / 1000,
    bad: found.bad,
  };
}

async function loadWithNode({ port, paths, seconds, connections, headers = {} }: LoadRequest): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const end = started + seconds * 1000;
  const times: number[] = [];
  let bad = 0;
  let next = 0;
  const connection = async () => {
    while (performance.now() < end) {
      const before = performance.now();
      const path = paths[next++ % paths.length] ?? '/';
      const status = await ask({ port, path, agent, headers }).catch(() => 0);
      if ((status >= 200 && status < 300) || status === 304) times.push(performance.now() - before);
      else bad += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = performance.now() - started;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { rate: (times.length / elapsed) * 1000, answers: times.length, p50Ms: at(0.5), p99Ms: at(0.99), bad };
}

function ask(asked: {
  readonly port: number;
  readonly path: string;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
}): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', ...asked }, (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    }).on('error', reject);
  });
}
