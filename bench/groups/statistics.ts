/** Statistics of banners with many events against few: clicks as `--sizes` says, and five times as many impressions. */
import { once, type Place, type Row, roundOf, startHcd } from '../place.js';
import { generateEvents } from '../site/events.js';

const key = 'key-for-the-bench-of-banners';
const dayMs = 86_400_000;
const questions: readonly (readonly [name: string, path: string])[] = [
  ['/stats of this month', 'stats?period=this_month'],
  ['/stats of everything', 'stats'],
  ['/stats of one position', 'stats?position=3'],
  ['/stats of thirty days from hour to hour', ''],
  ['/stats/compare', 'stats/compare'],
  ['/stats/referrers of this month', 'stats/referrers?period=this_month'],
  ['/stats/referrers of everything', 'stats/referrers'],
  ['/ads with counters', 'ads'],
];

export function statistics(place: Place): readonly Row[] {
  const now = Date.now();
  const [small, large] = place.options.sizes.map((clicks) =>
    once(async () => {
      place.say(`${place.database}: making ${clicks} clicks and ${clicks * 5} impressions`);
      const name = `banners_${clicks}`;
      const databaseUrl = await generateEvents({ ...place, name, clicks, impressions: clicks * 5, now });
      const env = { HCD_BANNERS_API_ENABLED: '1', HCD_BANNERS_API_KEY: key };
      return startHcd(place, { name, databaseUrl, words: ['serve', 'banners', '--port', '0'], env });
    }),
  );
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
  const hours = `stats?from=${text(now - 30 * dayMs)}&to=${text(now)}`;
  return questions.map(([name, path]) => {
    const question = () => ({ path: `/banners/api.php/${path || hours}`, headers: { 'x-api-key': key } });
    const round = (side: typeof small) =>
      roundOf(
        place,
        async () => {
          if (side === undefined) throw new Error('--sizes are two numbers');
          return { server: await side(), question };
        },
        { connections: 1, withDatabase: true },
      );
    return { name, own: round(large), other: round(small) };
  });
}
