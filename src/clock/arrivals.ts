/**
 * Knows whether the running code is the beginning of a request that the event loop read together with others. A look at
 * the database is then later than the arrival of all of them. Code that continues after a wait runs in another phase of
 * the loop: the requests that are read next may have arrived after a look made there.
 */
export const arrivals = {
  /** True while `receive` runs the beginning of a request. */
  isArriving: false,
  /** Number of requests that came behind another one of their connection. An earlier look may be too early for the last of them. */
  behind: 0,

  /**
   * Runs what is done with a request before anything has to be waited for. `together` is false for a request that came
   * behind another one of its connection: it was read with that one and may have arrived at any time since.
   */
  receive(work: () => void, { together }: { readonly together: boolean }): void {
    arrivals.isArriving = together;
    if (!together) arrivals.behind += 1;
    try {
      work();
    } finally {
      arrivals.isArriving = false;
    }
  },
};
