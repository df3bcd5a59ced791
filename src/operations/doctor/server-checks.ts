/** Checks of the database servers: whether they answer, what they are and hold, migrations, clock, Galera, read replicas. */

import { maskDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/base/dialect.js';
import { servingLimits } from '../../store/base/limits.js';
import { isEmptyEmbedded, migrationStatus } from '../../store/migrations/migrate.js';
import { readContentGeneration } from '../../store/state/state.js';
import { readReached, readReplication, withReplica } from '../processes/replica-state.js';
import {
  type Check,
  type ConfiguredFacts,
  error,
  type Finding,
  fixCommand,
  ok,
  orOk,
  type StoreFacts,
  sample,
  warning,
  when,
} from './check.js';
import { describeStore, inspectStore } from './inspect-store.js';

export const serverChecks: readonly Check[] = [
  { name: 'database', needs: 'configuration', run: checkDatabase },
  { name: 'server', needs: 'store', run: checkServer },
  { name: 'server-limits', needs: 'store', run: checkLimits },
  { name: 'content', needs: 'store', run: checkContent },
  { name: 'migrations', needs: 'store', run: checkMigrations },
  { name: 'clock', needs: 'store', run: checkClock },
  { name: 'galera', needs: 'store', run: checkGalera },
  { name: 'replicas', needs: 'store', run: checkReplicas },
];

async function checkDatabase({ store, configuration }: ConfiguredFacts): Promise<Finding> {
  const address = maskDatabaseUrl(configuration.config.database);
  if (store === null) {
    return warning(`${address} does not exist yet`, 'hcd init, hcd demo or hcd serve makes it');
  }
  if (store instanceof AppError)
    return error(store.message, 'Do what the message says; hcd config show prints the address and its source');
  return ok(address);
}

async function checkServer({ store }: StoreFacts): Promise<Finding> {
  const { content } = store;
  if (content.dialect === 'sqlite') return checkSqlite(content.primary);
  const [row = []] = await content.primary.select({
    sql: 'SELECT VERSION(), @@GLOBAL.sql_mode, @@SESSION.sql_mode, @@character_set_database, @@collation_database',
    params: [],
  });
  const [version, ofServer, ofSession, charset, collation] = row.map(String);
  if (!isStrict(ofSession)) {
    return error(
      `${version}: connections are not in strict mode, so values that do not fit would be cut (sql_mode ${ofSession})`,
      'Connect without a proxy that changes sql_mode',
    );
  }
  const strictness = isStrict(ofServer) ? 'strict' : 'not strict for others, strict for hcd';
  return ok(`${version}, ${charset} (${collation}), sql_mode ${strictness}`);
}

/** Limits, what the program needs of them at least, and why; bodies and rows are far larger as statements. */
const neededLimits = [
  ['max_allowed_packet', 16_777_216, 'larger values, backups and copies of rows are refused'],
  ['max_connections', 2 * servingLimits.connections + 5, 'a server and commands next to it may get no connection'],
  ['innodb_page_size', 16_384, 'tables with long rows and keys cannot be made'],
] as const;

async function checkLimits({ store: { content } }: StoreFacts): Promise<readonly Finding[]> {
  if (content.dialect === 'sqlite') return [ok('those of SQLite')];
  const sql = `SELECT ${neededLimits.map(([name]) => `@@GLOBAL.${name}`).join(', ')}`;
  const [row = []] = await content.primary.select({ sql, params: [] });
  const low = neededLimits.flatMap(([name, least, why], at) => {
    const is = Number(row[at]);
    return is >= least ? [] : [warning(`${name} is ${is}: ${why}`, `Set ${name} of the server to ${least} or more`)];
  });
  return orOk(low, 'max_allowed_packet, max_connections and innodb_page_size suffice');
}

async function checkSqlite(database: Reader): Promise<Finding> {
  const sql = `SELECT sqlite_version(), sqlite_compileoption_used('ENABLE_STAT4') AND EXISTS
    (SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4')`;
  const [[version, mayHaveSamples] = []] = await database.select({ sql, params: [] });
  const name = `SQLite ${String(version)}`;
  if (Number(mayHaveSamples) === 0) return ok(name);
  const [[hasSamples] = []] = await database.select({ sql: 'SELECT EXISTS (SELECT 1 FROM sqlite_stat4)', params: [] });
  if (Number(hasSamples) === 0) return ok(name);
  return warning(
    `${name}: samples from ANALYZE make it plan each statement again at every run`,
    'Run DELETE FROM sqlite_stat4, which keeps the other statistics, and restart hcd serve',
  );
}

const migrate = fixCommand('migrate');

function isStrict(mode = ''): boolean {
  return /STRICT_(?:TRANS|ALL)_TABLES/.test(mode);
}

async function checkContent({ store }: StoreFacts): Promise<Finding> {
  const description = await inspectStore(store);
  const detail = describeStore(description);
  if (description.kind !== 'empty') {
    return isTooOld(description.version)
      ? warning(`${detail}: hcd knows the tables and rules of MODX 2.8 to 3.1`, 'Upgrade the CMS to 2.8 or later')
      : ok(detail);
  }
  const [other] = description.otherPrefixes;
  return other === undefined
    ? warning(detail, 'hcd migrate makes them; for an existing site correct HCD_CONTENT_PREFIX', migrate)
    : error(detail, `Set HCD_CONTENT_PREFIX=${other}`);
}

/** Before 2.8; for example `2.7.3-pl`. */
function isTooOld(version: string | null): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (major === undefined) return false;
  return Number(major) < 2 || (Number(major) === 2 && Number(minor) < 8);
}

async function checkMigrations({ store, migrationRun }: StoreFacts): Promise<Finding> {
  const run = migrationRun(store);
  const steps = await migrationStatus(run);
  const unknown = steps.filter(({ state }) => state === 'unknown');
  const pending = steps.filter(({ state }) => state === 'pending').map(({ name }) => name);
  const applied = steps.filter(({ state }) => state === 'applied').length;
  if (unknown.length > 0) {
    const names = sample(unknown.map(({ name }) => name));
    const writer = unknown.at(-1)?.writtenBy ?? null;
    const needed = writer === null ? 'the newer hcd' : `hcd ${writer} or later`;
    return error(`the database is newer than this program: ${names}`, `Install ${needed}`);
  }
  if (pending.length === 0) return ok(`${applied} applied, none pending`);
  const detail = `${pending.length} pending, from ${pending[0]}`;
  if (await isEmptyEmbedded(run)) return warning(detail, 'hcd serve applies them on its first start');
  return applied === 0
    ? warning(`${detail}: hcd was never set up here`, 'hcd migrate', migrate)
    : error(`${detail}: hcd serve refuses to start`, 'hcd migrate', migrate);
}

const clockWarning = 2;
const clockError = 60;

/** Expiry of keys, planned publication and signatures compare times of both. */
async function checkClock({ store, clock }: StoreFacts): Promise<Finding> {
  if (store.content.dialect === 'sqlite') return ok('the database is a file on this machine');
  const before = clock.now();
  const [row] = await store.content.primary.select({ sql: `SELECT ${nowMilliseconds('mariadb')}`, params: [] });
  const middle = (before + clock.now()) / 2;
  const skew = Math.abs(Number(row?.[0]) - middle) / 1000;
  const detail = `this machine and the database server differ by ${skew < 10 ? skew.toFixed(1) : Math.round(skew)} s`;
  const fix = 'Keep both clocks right with NTP';
  if (skew > clockError) return error(detail, fix);
  return skew > clockWarning ? warning(detail, fix) : ok(detail);
}

async function checkGalera({ store: { content, own } }: StoreFacts): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { primary, dialect } of new Set([content, own])) {
    if (dialect === 'mariadb') findings.push(...galeraFindings(await readGalera(primary)));
  }
  return orOk(findings, 'no Galera node, or one that is in order');
}

/** Variables of Galera are absent where it is not built in. */
async function readGalera(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const questions = [
    "SHOW GLOBAL STATUS LIKE 'wsrep\\_%'",
    "SHOW GLOBAL VARIABLES LIKE 'wsrep\\_%'",
    "SHOW GLOBAL VARIABLES LIKE 'auto\\_increment\\_increment'",
  ];
  const answers = await Promise.all(questions.map((sql) => reader.select({ sql, params: [], heavy: true })));
  return new Map(answers.flat().map(([name, value]) => [String(name), String(value)]));
}

export function galeraFindings(facts: ReadonlyMap<string, string>): Finding[] {
  const [provider = 'none', state] = [facts.get('wsrep_provider'), facts.get('wsrep_local_state_comment')];
  if (provider === 'none' || provider === '') return [];
  const cluster = facts.get('wsrep_cluster_status');
  const nodes = Number(facts.get('wsrep_cluster_size'));
  const increment = Number(facts.get('auto_increment_increment'));
  if (facts.get('wsrep_on') !== 'ON') {
    // Such a node does not show its state.
    return [
      error(
        'wsrep_on is off on this Galera node: changes here do not reach the other nodes',
        'SET GLOBAL wsrep_on = ON, then let the node join the cluster again, because it differs from the others',
      ),
    ];
  }
  return [
    ...when(
      cluster !== 'Primary',
      error(
        `this Galera node is not in the primary component (wsrep_cluster_status ${cluster}): it refuses statements`,
        'Restore its connection to the other nodes; docs/scaling.md names what to do when all nodes were stopped',
      ),
    ),
    ...when(
      state !== 'Synced',
      warning(
        `this Galera node is not synced (wsrep_local_state_comment ${state}): it can be behind the others`,
        'Wait until it has caught up, or let the proxy send hcd to another node',
      ),
    ),
    ...when(
      nodes > 1 && increment < nodes,
      warning(
        `auto_increment_increment is ${increment} in a cluster of ${nodes} nodes: when the writing node changes, new rows can get an id that is taken, and are written again`,
        'SET GLOBAL wsrep_auto_increment_control = ON',
      ),
    ),
  ];
}

/** Answers that a change affects are dropped again five seconds after it, because a replica may be behind. */
const patienceSeconds = 5;

async function checkReplicas(facts: StoreFacts): Promise<Finding | readonly Finding[]> {
  const urls = facts.configuration.config.database_read_urls;
  return urls.length === 0 ? ok('no read replicas') : Promise.all(urls.map((url) => checkReplica(facts, url)));
}

async function checkReplica({ store, clock }: StoreFacts, url: string): Promise<Finding> {
  const found = await withReplica(url, async ({ primary }, shown): Promise<Finding> => {
    const { reason, stopped, lagSeconds } = await readReplication(primary);
    if (stopped) {
      return warning(
        `${shown} is a replica that stands still: ${reason}`,
        'SHOW REPLICA STATUS on that server names the cause; mend it, then START REPLICA',
      );
    }
    if (lagSeconds !== null && lagSeconds > patienceSeconds) {
      return warning(
        `${shown} is ${lagSeconds} s behind: old answers can stay for gateway_cache_ttl`,
        'Look at the load of that server, or remove it from HCD_DATABASE_READ_URLS until it has caught up',
      );
    }
    const lag = lagSeconds === null ? '' : `, and says that it is ${lagSeconds} s behind`;
    if (store.own !== store.content) {
      const unknown = `; its lag is not known: ${reason}, and the hcd_ tables are in another database`;
      return ok(`${shown} answers${lagSeconds === null ? unknown : lag}`);
    }
    const wanted = await readContentGeneration(store.content.primary);
    for (let waited = 0; waited <= patienceSeconds; waited += 1) {
      if (waited > 0) await clock.sleep(1000);
      if (((await readReached(primary)) ?? -1) >= wanted)
        return ok(`${shown} has every change, after ${waited} s${lag}`);
    }
    return warning(
      `${shown} lacks changes that the primary made more than ${patienceSeconds} s ago${lag}: old answers can stay for gateway_cache_ttl`,
      'Look at the replication of that server: SHOW REPLICA STATUS',
    );
  });
  if ('state' in found) return found;
  return warning(
    `a replica does not answer, and the primary is read instead. ${found.address}: ${found.reason}`,
    'Start the replica, correct its address, or remove it from HCD_DATABASE_READ_URLS',
  );
}
