/** A caller of ten requests a second beside 300 connections of another address that ask without pause, against the same caller alone. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { load } from '../load.js';
import { once, openSampleSite, type Place, type Row, startHcd } from '../place.js';
import { end, endWithUs, pause } from '../servers.js';
import { floods } from '../targets/flood.js';

const flooding = fileURLToPath(new URL('../targets/flood.js', import.meta.url));
/** Until the flood has opened its connections, and until the server has answered what is left of it. */
const settleMs = 1500;

/** The time below which 99 of 100 answers came. */
export function calmCaller(place: Place): readonly Row[] {
  const site = once(() => openSampleSite(place, 'sample'));
  const server = once(async () => startHcd(place, { name: 'calm', databaseUrl: (await site()).databaseUrl }));
  const { seconds } = place.options;
  let asked = 0;
  const callCalmly = async (): Promise<number> => {
    const refused: number[] = [];
    const { p99 } = await load({
      ...{ port: (await server()).port, connections: 32, from: '127.0.0.3', everyMs: 100, requests: seconds * 10 },
      question: () => ({ path: `/api/v1/resources?limit=20&filter[id][neq]=${2e6 + asked++}` }),
      onStatus: (status) => {
        if (status !== 200) refused.push(status);
      },
    });
    if (refused.length > 0) place.say(`${refused.length} of ${seconds * 10} were refused: ${[...new Set(refused)]}`);
    return p99;
  };
  const beside = async (kind: string): Promise<number> => {
    const child = fork(flooding, [kind, String((await server()).port), (await site()).gatewayKey]);
    endWithUs(child);
    await pause(settleMs);
    const p99 = await callCalmly();
    await end(child);
    await pause(settleMs);
    return p99;
  };
  return Object.keys(floods).map((kind) => ({ name: kind, own: () => beside(kind), other: callCalmly }));
}
