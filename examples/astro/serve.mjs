// Builds the site, serves it, and does both again when the content server says that content has changed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { verifyWebhook, WebhookError } from 'hcd-client/webhooks';

const secret = process.env.WEBHOOK_SECRET ?? '';
const hooksPort = Number(process.env.HOOKS_PORT ?? 4322);
let server;
let isBuilding = false;
let isStale = false;

/** Changes that come during a build are in the next one, all together. */
async function rebuild() {
  isStale = true;
  if (isBuilding) return;
  isBuilding = true;
  while (isStale) {
    isStale = false;
    const [code] = await once(spawn('npx', ['astro', 'build'], { stdio: 'inherit' }), 'exit');
    if (code === 0) await restart();
    else process.stderr.write('The build failed: the site stays as it was.\n');
  }
  isBuilding = false;
}

async function restart() {
  if (server !== undefined) {
    server.kill();
    await once(server, 'exit');
  }
  server = spawn(process.execPath, ['dist/server/entry.mjs'], { stdio: 'inherit' });
}

createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    await verifyWebhook({ headers: request.headers, body: Buffer.concat(chunks) }, secret);
    response.writeHead(204).end();
    await rebuild();
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 401 : 500).end();
  }
}).listen(hooksPort, '127.0.0.1');

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server?.kill();
    process.exit();
  });
}
await rebuild();
