/**
 * The yardstick of click redirects, pixels and slots: a bare server that answers each without looking at anything. The
 * bytes of the slots come as text from the bench.
 */
import { createServer } from 'node:http';
import { writeJson } from './answers.js';

const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const pixelHeaders = { 'Content-Type': 'image/gif', 'Content-Length': '43', 'Cache-Control': 'no-store' };
const clickHeaders = {
  Location: 'https://shop.example/spring?a=1',
  'Set-Cookie': `banners_click_id=${'0'.repeat(64)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`,
  'Content-Length': '0',
  'Cache-Control': 'no-store',
};

const slots = process.argv[2] ?? '';

const server = createServer((request, response) => {
  if (request.url?.startsWith('/slots/')) writeJson(response, slots);
  else if (request.url?.startsWith('/bannerimpression/')) response.writeHead(200, pixelHeaders).end(pixel);
  else response.writeHead(302, clickHeaders).end();
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stderr.write(`listening on http://127.0.0.1:${address?.port}\n`);
});
