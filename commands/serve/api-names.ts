/** The three APIs under the names that commands take. */

export const apiNames = ['gateway', 'pages', 'banners'] as const;
export type ApiName = (typeof apiNames)[number];
