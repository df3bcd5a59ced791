/** Where the files of the sample site are kept. Source 1 is that of every own store. */

export interface SampleMediaSource {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly classKey: string;
  readonly properties: Readonly<Record<string, string>>;
}

export const mediaSourceIds = { pictures: 2, documents: 3, archive: 4 } as const;

const files = 'MODX\\Revolution\\Sources\\modFileMediaSource';

export const mediaSources: readonly SampleMediaSource[] = [
  {
    id: mediaSourceIds.pictures,
    name: 'Pictures',
    description: 'Photographs and drawings',
    classKey: files,
    properties: {
      basePath: 'assets/pictures/',
      baseUrl: 'assets/pictures/',
      allowedFileTypes: 'jpg,jpeg,png,webp,svg',
    },
  },
  {
    id: mediaSourceIds.documents,
    name: 'Documents',
    description: 'Data sheets and catalogues',
    classKey: files,
    properties: { basePath: 'assets/documents/', baseUrl: '[[++site_url]]assets/documents/', allowedFileTypes: 'pdf' },
  },
  {
    id: mediaSourceIds.archive,
    name: 'Archive',
    description: 'Everything older than five years, in object storage',
    classKey: 'MODX\\Revolution\\Sources\\modS3MediaSource',
    properties: { url: 'https://archive.larkfell.example/', bucket: 'larkfell-archive' },
  },
];
