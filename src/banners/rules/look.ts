/** Recognises requests that are not visits (docs/banners-tracking.md#requests-that-are-not-visits). */

type Header = (name: string) => string | undefined;

/** Any value but an empty one says that nothing is shown yet: prefetch, prerender, preview, instant. */
const purposes = [
  // Browsers today; Turbo cannot set the first one.
  'sec-purpose',
  'x-sec-purpose',
  // Chrome and Safari before, Facebook's app.
  'purpose',
  'x-purpose',
  // Firefox before.
  'x-moz',
  // Links of Next.js and htmx.
  'next-router-prefetch',
  'x-middleware-prefetch',
  'hx-preloaded',
] as const;

/** `Sec-Fetch-Dest` of what a page loads for itself: an address in it was not clicked. */
const parts: ReadonlySet<string> = new Set([
  ...['audio', 'audioworklet', 'embed', 'font', 'image', 'manifest', 'object', 'paintworklet', 'report', 'script'],
  ...['serviceworker', 'sharedworker', 'style', 'track', 'video', 'webidentity', 'worker', 'xslt'],
]);

export function isAhead(header: Header): boolean {
  return purposes.some((name) => !['', '0', 'false'].includes(header(name)?.trim().toLowerCase() ?? ''));
}

export function isPartOfPage(header: Header): boolean {
  return parts.has(header('sec-fetch-dest')?.trim().toLowerCase() ?? '');
}
