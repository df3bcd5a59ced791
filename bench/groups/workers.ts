/** Several workers against one process, on one core: what a request costs decides the rate where each has a core. */
import { once, openSampleSite, type Place, type Row, roundOf, startHcd, uncached } from '../place.js';
import { rowsNamed } from '../sample-rows.js';
import { targetOf } from './builds.js';

export function workers(place: Place): readonly Row[] {
  const site = once(() => openSampleSite(place, 'sample'));
  const side = (count: string) => {
    const words = ['serve', '--port', '0', '--workers', count];
    const start = async (kind: string, env: Readonly<Record<string, string>>) =>
      startHcd(place, { name: `workers-${count}-${kind}`, databaseUrl: (await site()).databaseUrl, words, env });
    return { site, plain: once(() => start('plain', uncached)), keeping: once(() => start('keeping', {})) };
  };
  const [several, one] = [side(place.options.workers), side('1')];
  const names = ['kept list', 'kept list to many visitors', 'kept list to a key', 'single read', 'list'];
  return rowsNamed(...names).map((row) => ({
    name: row.name,
    own: roundOf(place, () => targetOf(row, several)),
    other: roundOf(place, () => targetOf(row, one)),
  }));
}
