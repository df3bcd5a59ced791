/** A bare node:http server that sends the very bytes that the program answered, and a bare 304 to who has them. */
import { createServer } from 'node:http';
import { readTargetFile, writeJson } from './answers.js';

const { answers } = readTargetFile(process.argv[2]);
const bodies = new Map(answers.map(({ path, body }) => [path, Buffer.from(body, 'base64')]));

const server = createServer((request, response) => {
  const body = bodies.get(request.url ?? '');
  const tag = request.headers['if-none-match'];
  if (body === undefined) response.writeHead(404).end();
  else if (tag === undefined) writeJson(response, body);
  else response.writeHead(304, { ETag: tag }).end();
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stderr.write(`listening on http://127.0.0.1:${address?.port}\n`);
});
