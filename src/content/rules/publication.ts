/** How a write decides publication (docs/reference/storage.md#publication). Times are Unix seconds, null for unset. */

interface Publication {
  readonly published: boolean;
  readonly publishedon: number | null;
  readonly publishedby: number;
  readonly pub_date: number | null;
  readonly unpub_date: number | null;
}

interface PublicationActor {
  readonly now: number;
  readonly actor: number;
}

/** A date that has passed decides at once and stays stored, as in the CMS. */
export function publishNew(
  asked: Partial<Publication>,
  { byDefault, now, actor }: PublicationActor & { readonly byDefault: boolean },
): Publication {
  const pubDate = asked.pub_date ?? null;
  const unpubDate = asked.unpub_date ?? null;
  let published = asked.published ?? byDefault;
  if (pubDate !== null) published = pubDate <= now;
  if (unpubDate !== null && unpubDate < now) published = false;
  return {
    published,
    publishedon: asked.publishedon ?? (published ? now : null),
    publishedby: asked.publishedby ?? (published ? actor : 0),
    pub_date: pubDate,
    unpub_date: unpubDate,
  };
}

export function changePublication(
  before: Publication,
  asked: Partial<Publication>,
  { now, actor }: PublicationActor,
): Publication {
  const planned = applyDates(before, asked, now);
  const { published } = planned;
  if (published && (!before.published || planned.dueOn !== null)) {
    return {
      ...planned.dates,
      published,
      publishedon: asked.publishedon ?? planned.dueOn ?? now,
      publishedby: asked.publishedby ?? (before.published ? before.publishedby : actor),
    };
  }
  if (!published && before.published) return { ...planned.dates, published, publishedon: null, publishedby: 0 };
  return {
    ...planned.dates,
    published,
    publishedon: asked.publishedon === undefined ? before.publishedon : asked.publishedon,
    publishedby: asked.publishedby ?? before.publishedby,
  };
}

/** `dueOn` is the planned publication that this write made due. */
function applyDates(before: Publication, asked: Partial<Publication>, now: number) {
  const pubDate = asked.pub_date === undefined ? before.pub_date : asked.pub_date;
  const unpubDate = asked.unpub_date === undefined ? before.unpub_date : asked.unpub_date;
  const none = { pub_date: null, unpub_date: null };
  if (asked.unpub_date && asked.unpub_date < now) return { published: false, dueOn: null, dates: none };
  if (asked.pub_date) {
    if (asked.pub_date > now)
      return { published: false, dueOn: null, dates: { pub_date: pubDate, unpub_date: unpubDate } };
    return { published: true, dueOn: asked.pub_date, dates: { pub_date: null, unpub_date: unpubDate } };
  }
  const published = asked.published ?? before.published;
  // With a date that is already due the worker would undo the caller's decision.
  const flips = asked.published !== undefined && asked.published !== before.published;
  const isOver = (date: number | null) => flips && date !== null && date <= now;
  return {
    published,
    dueOn: null,
    dates: {
      pub_date: isOver(pubDate) ? null : pubDate,
      unpub_date: isOver(unpubDate) ? null : unpubDate,
    },
  };
}
