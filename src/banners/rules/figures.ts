/** Counts, their rates and the change between two periods (docs/banners-statistics.md#figures). */

export interface Counts {
  readonly clicks: number;
  readonly impressions: number;
  readonly conversions: number;
}

export interface Figures extends Counts {
  /** Clicks per hundred impressions, two decimals, not capped; null without impressions. */
  readonly ctr: number | null;
  /** Conversions per hundred clicks, two decimals; null without clicks. */
  readonly cvr: number | null;
}

/** Change in percent; null where there is nothing to compare with. */
export type Delta = { readonly [Name in keyof Figures]: number | null };

export const noCounts: Counts = Object.freeze({ clicks: 0, impressions: 0, conversions: 0 });

export function countsOfEvent(kind: 'clicks' | 'impressions', orderId: string | null = null): Counts {
  return { ...noCounts, [kind]: 1, conversions: kind === 'clicks' && orderId !== null ? 1 : 0 };
}

export function addCounts(one: Counts, other: Counts): Counts {
  return {
    clicks: one.clicks + other.clicks,
    impressions: one.impressions + other.impressions,
    conversions: one.conversions + other.conversions,
  };
}

export function negative({ clicks, impressions, conversions }: Counts): Counts {
  return { clicks: -clicks, impressions: -impressions, conversions: -conversions };
}

export function isNothing({ clicks, impressions, conversions }: Counts): boolean {
  return clicks === 0 && impressions === 0 && conversions === 0;
}

export function figuresOf({ clicks, impressions, conversions }: Counts): Figures {
  return { clicks, impressions, conversions, ctr: percent(clicks, impressions), cvr: percent(conversions, clicks) };
}

/** 0 where both are 0; null where `compare` is 0 or one of them has no value. */
export function deltaOf(base: Figures, compare: Figures): Delta {
  return {
    clicks: change(base.clicks, compare.clicks),
    impressions: change(base.impressions, compare.impressions),
    conversions: change(base.conversions, compare.conversions),
    ctr: change(base.ctr, compare.ctr),
    cvr: change(base.cvr, compare.cvr),
  };
}

function change(base: number | null, compare: number | null): number | null {
  if (base === null || compare === null) return null;
  return base === 0 && compare === 0 ? 0 : percent(base - compare, compare);
}

/** Two decimals, halves away from zero. The division comes last, so that no earlier rounding moves a half. */
function percent(part: number, whole: number): number | null {
  if (whole === 0) return null;
  const hundredths = (part * 10_000) / whole;
  return (Math.sign(hundredths) * Math.round(Math.abs(hundredths))) / 100 || 0;
}
