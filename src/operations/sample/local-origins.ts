/** Origins of web pages that are developed on this machine: those of the usual tools. Patterns are never accepted. */

const ports = [3000, 3001, 4173, 4200, 4321, 5000, 5173, 5174, 8000, 8081, 8888, 9000];

export const localOrigins: readonly string[] = Object.freeze(
  ['localhost', '127.0.0.1'].flatMap((host) => ports.map((port) => `http://${host}:${port}`)),
);

/** For people. */
export const localOriginsText = `http://localhost and http://127.0.0.1 at the ports ${ports.join(', ')}`;
