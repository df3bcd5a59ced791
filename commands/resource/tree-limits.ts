/** The limits of `hcd resource tree`. */

/** Resources without --limit. */
export const defaultLimit = 1000;

/** Levels; no site is nested like this, and damaged data must not build endless branches. */
export const maxDepth = 100;
