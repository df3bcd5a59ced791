#!/usr/bin/env node
/**
 * Removes answers from nginx's cache by tag when content changes. It receives the deliveries that `hcd webhook listen`
 * has verified, and deletes each file of the cache whose Cache-Tag shares a tag with `meta.revalidate` of the delivery:
 *
 *   hcd webhook add --url http://127.0.0.1:9400/ --events '*'
 *   hcd webhook listen --port 9400 --webhook ID --forward http://127.0.0.1:9401/
 *   purge-by-tag.mjs /var/cache/nginx/hcd 9401
 *
 * It runs as the user of nginx. Each delivery reads the first bytes of every file of the cache: up to some hundred
 * thousand files. nginx asks hcd again for an answer whose file is missing.
 */
import { open, readdir, unlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [directory, port] = process.argv.slice(2);
if (directory === undefined || !/^\d+$/.test(port ?? '')) {
  process.stderr.write('usage: purge-by-tag.mjs CACHE_DIRECTORY PORT\n');
  process.exit(2);
}

/** Bytes of a file of the cache that hold its key and the headers of the answer. */
const headBytes = 16_384;
/** A delivery names at most some hundred tags. */
const mostBytes = 1024 * 1024;

/** Removes the answers that have one of the tags; null = all. Gives their number. */
async function purge(tags) {
  let removed = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const found = tags && (await tagsOf(path).catch(ignoreMissing));
    if (tags && found?.some((tag) => tags.has(tag)) !== true) continue;
    await unlink(path).catch(ignoreMissing);
    removed += 1;
  }
  return removed;
}

async function tagsOf(path) {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.toString('latin1', 0, bytesRead).split('\r\n\r\n', 1)[0];
    return /\r\ncache-tag: *([^\r]*)/i.exec(head)?.[1].split(',');
  } finally {
    await file.close();
  }
}

/** nginx removes files too. */
function ignoreMissing(error) {
  if (error.code !== 'ENOENT') throw error;
}

createServer(async (request, response) => {
  try {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk;
      if (body.length > mostBytes) throw new Error('the delivery is too large');
    }
    const { type, meta } = JSON.parse(body);
    const tags = type === 'content.changed' ? null : new Set(meta?.revalidate ?? []);
    process.stdout.write(`removed ${await purge(tags)} answers for ${tags?.size ?? 'all'} tags\n`);
    response.writeHead(204).end();
  } catch (error) {
    // The sender tries again after any answer that is not 2xx.
    process.stderr.write(`${error.message}\n`);
    response.writeHead(500).end();
  }
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
