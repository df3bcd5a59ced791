/** Ids and counts are unsigned integers of four bytes, in the columns of both databases. */
export const largestUnsigned = 4_294_967_295;
