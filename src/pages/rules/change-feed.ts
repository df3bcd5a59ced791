/**
 * Which changes one answer of the change feed holds, and where the next one goes on (docs/pages.md#the-change-feed).
 */

/** The last change of one page, with its site-wide number. */
export interface PageChange {
  readonly siteRevision: number;
}

export interface FeedSlice<T extends PageChange> {
  readonly items: readonly T[];
  /** Cursor of the next call. */
  readonly revision: number;
  /** Whether changes were left out. */
  readonly more: boolean;
}

/**
 * The oldest changes after `since`, at most `limit`. A page stands in `changes` once, with its last change, so a reader
 * that goes on from the cursor misses nothing, and meets a page again only when it has changed again.
 */
export function sliceFeed<T extends PageChange>({
  changes,
  since,
  limit,
  current,
}: {
  readonly changes: readonly T[];
  readonly since: number;
  readonly limit: number;
  /** The site's revision when the changes were read. */
  readonly current: number;
}): FeedSlice<T> {
  const after = changes
    .filter(({ siteRevision }) => siteRevision > since)
    .sort((one, other) => one.siteRevision - other.siteRevision);
  const items = after.slice(0, limit);
  const more = after.length > items.length;
  return { items, more, revision: more ? (items.at(-1)?.siteRevision ?? since) : Math.max(current, since) };
}
