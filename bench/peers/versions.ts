/** The peers and the Node that they run on, in fixed versions: a change here makes a new installation. */

export interface Installation {
  /** The package whose version is that of the product. */
  readonly main: string;
  /** Exact versions by package. */
  readonly packages: Readonly<Record<string, string>>;
  /** Packages whose install scripts run: they compile or download what JavaScript alone cannot do. */
  readonly native: readonly string[];
}

export const nodePackage = Object.freeze({ name: `node-${process.platform}-${process.arch}`, version: '22.23.3' });

const strapi = '5.54.0';
const payload = '3.90.2';

export const installations = Object.freeze({
  directus: { main: 'directus', packages: { directus: '12.4.0' }, native: ['sqlite3', 'isolated-vm'] },
  strapi: {
    main: '@strapi/strapi',
    packages: {
      ...{ '@strapi/strapi': strapi, '@strapi/plugin-users-permissions': strapi },
      ...{ 'better-sqlite3': '12.6.2', mysql2: '3.24.6' },
      ...{ react: '18.3.1', 'react-dom': '18.3.1', 'react-router-dom': '6.30.3', 'styled-components': '6.6.0' },
    },
    native: ['better-sqlite3'],
  },
  payload: {
    main: 'payload',
    packages: {
      ...{ payload, '@payloadcms/next': payload, '@payloadcms/db-sqlite': payload },
      ...{ next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1', graphql: '16.15.0' },
    },
    native: [],
  },
} satisfies Record<string, Installation>);

export type PeerName = keyof typeof installations;
