/** The options of a pool of Sequelize for a server and its replicas. */
import type { Options } from 'sequelize';
import type { MariadbAddress } from '../../config/address-values.js';
import type { StoreLimits } from '../base/limits.js';
import type { MariadbModule } from './driver-module.js';

export interface MariadbOptions {
  readonly address: MariadbAddress;
  readonly url: string;
  readonly replicas: readonly MariadbAddress[];
  readonly limits: StoreLimits;
  readonly repairEncoding: boolean;
}

/** Read by Sequelize but missing in its types. */
const undeclared = {
  // The session settings set the zone; Sequelize would append to a list of statements at each connection.
  keepDefaultTimezone: true,
  // Otherwise the first use opens a connection only to ask for the version.
  databaseVersion: '10.3.0',
};

export function sequelizeOptions(options: MariadbOptions, driver: MariadbModule): Options {
  const { address, replicas, limits } = options;
  return {
    dialect: 'mariadb',
    dialectModule: driver.module,
    ...toSequelize(address, limits),
    ...(replicas.length > 0
      ? {
          replication: {
            write: toSequelize(address, limits),
            read: replicas.map((replica) => toSequelize(replica, limits)),
          },
        }
      : {}),
    logging: false,
    timezone: '+00:00',
    ...undeclared,
    retry: { max: 1 },
    pool: { max: limits.connections, min: 0, idle: 60_000, evict: 10_000, acquire: limits.acquire },
  };
}

function toSequelize(address: MariadbAddress, limits: StoreLimits) {
  return {
    host: address.host,
    port: address.port,
    username: address.user,
    password: address.password,
    database: address.database,
    dialectOptions: {
      connectTimeout: limits.connect,
      collation: 'UTF8MB4_UNICODE_CI',
      // Statements with lists of different lengths would otherwise pile up on the server.
      prepareCacheLength: 128,
      // Where a node of a cluster refuses a PREPARE, an EXECUTE sent with it runs the statement prepared before.
      pipelining: false,
      ...(address.socketPath === null ? {} : { socketPath: address.socketPath }),
      ...(address.tls === 'off' ? {} : { ssl: { rejectUnauthorized: address.tls === 'verify' } }),
    },
  };
}
