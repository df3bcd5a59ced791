/** The peers and the Node that they run on, in fixed versions: a change here makes a new installation. */

export interface Installation {
  /** Exact versions by package. */
  readonly packages: Readonly<Record<string, string>>;
  /** Packages whose install scripts run: they compile or download what JavaScript alone cannot do. */
  readonly native: readonly string[];
}

export const nodePackage = Object.freeze({ name: `node-${process.platform}-${process.arch}`, version: '22.23.3' });

export const installations = Object.freeze({
  directus: { packages: { directus: '12.4.0' }, native: ['sqlite3', 'isolated-vm'] },
} satisfies Record<string, Installation>);

export type PeerName = keyof typeof installations;
