/** A client that does little, and so leaves more of the machine to the servers than one of node:http. */
import { connect } from 'node:net';

interface Flood {
  readonly port: number;
  readonly answers: number;
  readonly connections: number;
  /** The request of this number, as it is sent. */
  readonly request: (at: number) => Buffer;
}

/** The text of a GET request. */
export function requestText(port: number, path: string, headers: Readonly<Record<string, string>>): Buffer {
  const fields = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'keep-alive', ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines}\r\n`);
}

/** Asks so often. Rejects when an answer is neither 200 nor 304. */
export async function flood({ port, answers, connections, request }: Flood): Promise<void> {
  let asked = 0;
  const client = async (): Promise<void> => {
    while (asked < answers) await useConnection();
  };
  // A server ends a connection after so many answers.
  const useConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let missing = -1;
      const ask = () => {
        if (asked >= answers) return void socket.destroy();
        socket.write(request(asked));
        asked += 1;
      };
      socket.on('connect', ask).on('error', reject).on('close', resolve);
      socket.on('data', (piece) => {
        if (missing < 0) {
          const end = piece.indexOf('\r\n\r\n');
          const head = piece.toString('latin1', 0, end);
          const status = Number(head.slice(9, 12));
          if (status !== 200 && status !== 304) return reject(new Error(`a request was answered with ${status}`));
          const length = status === 304 ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1]);
          missing = length - (piece.length - end - 4);
        } else missing -= piece.length;
        if (missing > 0) return;
        missing = -1;
        ask();
      });
    });
  await Promise.all(Array.from({ length: connections }, client));
}
