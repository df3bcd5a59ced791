/** How many days checks of the sums look at where nobody says: days with so many events that all of them take seconds. */

/** Today included. */
export const usualDays = 3;
