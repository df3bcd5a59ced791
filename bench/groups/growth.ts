/** Every kind of read on a large generated site against a small one, nothing kept, with the processor time of MariaDB. */
import { once, type Place, type Row, roundOf, startHcd, uncached } from '../place.js';
import { openRecorder, siteSettings } from '../record.js';
import { scenarios } from '../scenarios.js';
import { provideSite } from '../site/generate.js';

export function growth(place: Place): readonly Row[] {
  const [small, large] = place.options.sizes.map((count) => openSide(place, count));
  return scenarios.map((scenario) => {
    const round = (side: ReturnType<typeof openSide> | undefined) =>
      roundOf(
        place,
        async () => {
          if (side === undefined) throw new Error('--sizes are two numbers');
          const recorder = await side.recorder();
          const paths = (await recorder.record(scenario, side.count)).map(({ path }) => path);
          if (paths.length === 0) throw new Error(`a site of ${side.count} is too small: ${scenario.title}`);
          const question = (turn: number) => ({ path: paths[turn % paths.length] ?? '' });
          return { server: await side.server(), question };
        },
        { withDatabase: true },
      );
    return { name: scenario.title, own: round(large), other: round(small) };
  });
}

/** Contents are left out, so that large sites stay lean. */
function openSide(place: Place, count: number) {
  const site = once(() => provideSite({ ...place, count, paragraphs: 0 }));
  const env = { ...siteSettings, ...uncached };
  return {
    count,
    recorder: once(async () => {
      const recorder = await openRecorder(await site());
      place.atEnd(recorder.close);
      return recorder;
    }),
    server: once(async () => startHcd(place, { name: `growth-${count}`, databaseUrl: await site(), env })),
  };
}
