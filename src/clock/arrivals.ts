/**
 * Knows whether what runs at this moment is the beginning of a request that the event loop took up together with others:
 * one look at anything is then later than the arrival of all of them. Everything that goes on after a wait, in another
 * phase of the loop, is not such a moment: requests that are taken up next may have arrived after a look made there.
 */
export const arrivals = {
  /** True while `receive` runs the beginning of a request. */
  isArriving: false,

  /**
   * Runs what is done with a request before anything has to be waited for. `together` is false for a request that came
   * behind another one of its connection: it was read with that one and may have arrived at any time since.
   */
  receive(work: () => void, { together }: { readonly together: boolean }): void {
    arrivals.isArriving = together;
    try {
      work();
    } finally {
      arrivals.isArriving = false;
    }
  },
};
