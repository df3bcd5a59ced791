/** How far `hcd resource tree` goes by itself. */

/** Resources without --limit. */
export const defaultLimit = 1000;

/** Levels; no site is nested like this, and damaged data must not build endless branches. */
export const maxDepth = 100;
