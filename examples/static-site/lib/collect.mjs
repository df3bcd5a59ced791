/** Collects the pages: all of them, or those of the last run with every change since. */

/**
 * @typedef {{ etag?: string, page: object }} KeptPage
 * @typedef {{ revision: number, pages: Map<number, KeptPage>, isNew: boolean }} Collected
 */

/** Every page of the list. Known pages are requested with their ETag. */
export async function build(client, before, { parallel }) {
  const first = await client.list(0);
  const ids = idsOf(first);
  // The list may change while it is read; the change feed after the revision of its first part has what is missed.
  for (let offset = client.pageSize; offset < first.total; offset += client.pageSize) {
    ids.push(...idsOf(await client.list(offset)));
  }
  const pages = await load(client, [...new Set(ids)], { known: before.pages, parallel });
  return { revision: first.revision, pages, isNew: true };
}

/** The pages of the last run with every change since. */
export async function refresh(client, before) {
  const pages = new Map(before.pages);
  let { revision } = before;
  let isNew = false;
  for (let more = true; more; ) {
    const feed = await client.changes(revision);
    const withdrawn = feed.items.filter((item) => item.withdrawn);
    const published = feed.items.filter((item) => !item.withdrawn);
    for (const { resourceId } of withdrawn) pages.delete(resourceId);
    const loaded = await load(client, idsOf({ items: published }), { known: pages, parallel: 4 });
    // A page that was withdrawn between the feed and its own request is in the feed again.
    for (const { resourceId } of published) pages.delete(resourceId);
    for (const [id, page] of loaded) pages.set(id, page);
    isNew ||= feed.revision !== revision;
    ({ revision, more } = feed);
  }
  return { revision, pages, isNew };
}

function idsOf({ items }) {
  return items.map(({ resourceId }) => resourceId);
}

/** The pages with these ids, a few at a time; pages that are gone are left out. */
async function load(client, ids, { known, parallel }) {
  const found = new Map();
  const open = [...ids];
  const work = async () => {
    for (let id = open.shift(); id !== undefined; id = open.shift()) {
      const kept = known.get(id);
      const answer = await client.page(id, kept?.etag);
      if (answer === null) found.set(id, kept);
      else if (answer !== undefined) found.set(id, answer);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return found;
}
