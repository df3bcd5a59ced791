/** Throws for bytes that are not UTF-8; a byte order mark stays. */
export const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
