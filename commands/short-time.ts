/** Times on a terminal: how long ago or ahead; the date when that is far. */

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const units = [
  { name: 's', seconds: 1, until: 60 },
  { name: 'min', seconds: 60, until: 3600 },
  { name: 'h', seconds: 3600, until: 2 * 86_400 },
  { name: 'd', seconds: 86_400, until: 300 * 86_400 },
] as const;

/** `3 min ago`, `in 89 d`, `2037-01-01`; null for a text that is not a whole ISO 8601 time. */
export function shortTime(text: string, now: number): string | null {
  if (!isoTime.test(text)) return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) return null;
  const distance = Math.floor(Math.abs(time - now) / 1000);
  if (distance === 0) return 'now';
  const unit = units.find(({ until }) => distance < until);
  if (unit === undefined) return text.slice(0, 10);
  const amount = `${Math.round(distance / unit.seconds)} ${unit.name}`;
  return time > now ? `in ${amount}` : `${amount} ago`;
}
