/** The bootstrap context if allowed, else web, else the first. */
export function usualContext({
  defaultContext,
  allowedContexts,
}: {
  readonly defaultContext: string;
  readonly allowedContexts: readonly string[];
}): string | undefined {
  return [defaultContext, 'web'].find((key) => allowedContexts.includes(key)) ?? allowedContexts[0];
}
