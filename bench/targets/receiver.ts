/** A receiver of deliveries that takes every request and answers 204: the fastest that a receiver can be. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stderr.write(`listening on http://127.0.0.1:${address?.port}\n`);
});
