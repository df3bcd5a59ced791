/** Campaign parameters that a click adds to the address it leads to (docs/banners-tracking.md#where-a-click-leads). */

export interface UtmRules {
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  readonly content: string;
}

export interface UtmFacts {
  readonly adId: number;
  readonly positionId: number;
  readonly adposition: number;
  readonly productId: number;
  readonly productTitle: string;
}

/** The query with the parameters that it does not have yet; empty ones are left out. */
export function addUtm(search: string, rules: UtmRules, facts: UtmFacts): string {
  const present = new Set(new URLSearchParams(search).keys());
  const added = [
    ['utm_source', rules.source],
    ['utm_medium', rules.medium],
    ['utm_campaign', filled(rules.campaign, facts)],
    ['utm_content', filled(rules.content, facts)],
  ].flatMap(([name = '', value = '']) =>
    value === '' || present.has(name) ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  if (added.length === 0) return search;
  const own = search.replace(/^\?/, '');
  return `?${[...(own === '' ? [] : [own]), ...added].join('&')}`;
}

/** Names that stand for nothing stay as they are, so that the fault is visible. */
function filled(text: string, facts: UtmFacts): string {
  const values = new Map<string, string | number>([
    ['ad_id', facts.adId],
    ['position_id', facts.positionId],
    ['adposition', facts.adposition],
    ['product_id', facts.productId],
    ['product_pagetitle', facts.productTitle],
    // An order comes after the click.
    ['order_id', 0],
  ]);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values.get(name) ?? whole));
}
