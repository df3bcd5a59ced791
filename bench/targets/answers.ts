/** The file through which the bench tells its yardstick servers what to answer. */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';

export interface TargetAnswer {
  /** Path and query that the server answers. */
  readonly path: string;
  /** The bytes that the program answered, as base64. */
  readonly body: string;
  readonly statements: readonly { readonly sql: string; readonly params: readonly (string | number | null)[] }[];
}

export interface TargetFile {
  readonly databaseUrl: string;
  readonly answers: readonly TargetAnswer[];
}

export function readTargetFile(path: string | undefined): TargetFile {
  if (path === undefined) throw new Error('name the file with the answers');
  const parsed: TargetFile = JSON.parse(readFileSync(path, 'utf8'));
  return parsed;
}

/** A bare server: one lookup of the whole target, one write. Says `listening on` like the program does. */
export function serve<Answer>(
  answers: ReadonlyMap<string, Answer>,
  send: (response: ServerResponse, answer: Answer) => void,
): void {
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer !== undefined) return send(response, answer);
    response.writeHead(404).end();
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object') process.stderr.write(`listening on http://127.0.0.1:${address?.port}\n`);
  });
}

export function writeJson(response: ServerResponse, body: string | Buffer): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
