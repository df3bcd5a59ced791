/** Clients that send POST requests for new resources, each the next one when the one before is answered. */
import { Agent, request } from 'node:http';

export interface Writer {
  readonly port: number;
  /** Credential of the gateway. */
  readonly key: string;
}

let title = 0;

/** Seconds that all of the requests took. Throws an Error unless each is answered with 201. */
export async function writeFrom(
  writer: Writer,
  {
    requests,
    connections,
    isOn = () => true,
  }: { readonly requests: number; readonly connections: number; readonly isOn?: () => boolean },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = requests;
  const client = async () => {
    while (left > 0 && isOn()) {
      left -= 1;
      title += 1;
      await post(writer, { agent, body: JSON.stringify({ pagetitle: `Measured ${title}`, content: text }) });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return seconds;
}

/** Does some work while clients write without pause. */
export async function whileWriting<T>(
  writer: Writer,
  { connections }: { readonly connections: number },
  work: () => Promise<T>,
): Promise<T> {
  let isOn = true;
  const clients = writeFrom(writer, { requests: Number.POSITIVE_INFINITY, connections, isOn: () => isOn });
  try {
    return await Promise.race([work(), clients.then(() => Promise.reject(new Error('the clients ended')))]);
  } finally {
    isOn = false;
    await clients;
  }
}

/** As long as a short page. */
const text = '<p>Some text of a page.</p>'.repeat(40);

function post({ port, key }: Writer, { agent, body }: { readonly agent: Agent; readonly body: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      'content-length': Buffer.byteLength(body),
    };
    const asked = request({ port, agent, method: 'POST', path: '/api/v1/resources', headers }, (answer) => {
      let said = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        said += piece;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 201) resolve();
        else reject(new Error(`a POST was answered with ${answer.statusCode}: ${said.slice(0, 300)}`));
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
