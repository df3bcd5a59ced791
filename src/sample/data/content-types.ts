/** Content types that the sample pages use: those of an empty store by their ids, and one more of our own. */

export interface SampleContentType {
  readonly id: number;
  readonly name: string;
  readonly mimeType: string;
  readonly extension: string;
  /** True for the types that every own store has. */
  readonly seeded: boolean;
}

function seeded(id: number, name: string, type: { mimeType: string; extension: string }): SampleContentType {
  return { id, name, ...type, seeded: true };
}

export const htmlType = 1;
export const xmlType = 2;
export const textType = 3;
export const rssType = 6;
export const jsonType = 7;
export const pdfType = 8;
export const geoJsonType = 9;

export const contentTypes: readonly SampleContentType[] = [
  seeded(htmlType, 'HTML', { mimeType: 'text/html', extension: '.html' }),
  seeded(xmlType, 'XML', { mimeType: 'text/xml', extension: '.xml' }),
  seeded(textType, 'Text', { mimeType: 'text/plain', extension: '.txt' }),
  seeded(rssType, 'RSS', { mimeType: 'application/rss+xml', extension: '.rss' }),
  seeded(jsonType, 'JSON', { mimeType: 'application/json', extension: '.json' }),
  seeded(pdfType, 'PDF', { mimeType: 'application/pdf', extension: '.pdf' }),
  { id: geoJsonType, name: 'GeoJSON', mimeType: 'application/geo+json', extension: '.geojson', seeded: false },
];
