/** Checks of several database servers: the state of a Galera node, and how far read replicas are behind. */
import { maskDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { servingLimits } from '../../store/base/limits.js';
import { openDatabase } from '../../store/open/open.js';
import { hasTable } from '../../store/state/ledger.js';
import { readContentGeneration } from '../../store/state/state.js';
import { type Check, error, type Finding, ok, orOk, type StoreFacts, warning, when } from './check.js';

export const clusterChecks: readonly Check[] = [
  { name: 'galera', needs: 'store', run: checkGalera },
  { name: 'replicas', needs: 'store', run: checkReplicas },
];

async function checkGalera({ store: { content, own } }: StoreFacts): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { primary, dialect } of new Set([content, own])) {
    if (dialect === 'mariadb') findings.push(...galeraFindings(await readGalera(primary)));
  }
  return orOk(findings, 'no Galera node, or one that is in order');
}

/** Status and variables of the server by name; those of Galera are absent where it is not built in. */
async function readGalera(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const questions = [
    "SHOW GLOBAL STATUS LIKE 'wsrep\\_%'",
    "SHOW GLOBAL VARIABLES LIKE 'wsrep\\_%'",
    "SHOW GLOBAL VARIABLES LIKE 'auto\\_increment\\_increment'",
  ];
  const answers = await Promise.all(questions.map((sql) => reader.select({ sql, params: [], heavy: true })));
  return new Map(answers.flat().map(([name, value]) => [String(name), String(value)]));
}

/** What is wrong with a node; nothing for a server that is not one. */
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
  const shown = maskDatabaseUrl(url);
  try {
    const replica = await openDatabase({ url, limits: servingLimits });
    try {
      if (store.own !== store.content) {
        return ok(`${shown} answers; its lag cannot be measured, because the hcd_ tables are in another database`);
      }
      const wanted = await readContentGeneration(store.content.primary);
      for (let waited = 0; waited <= patienceSeconds; waited += 1) {
        if (waited > 0) await clock.sleep(1000);
        const hasState = await hasTable(replica.primary, 'hcd_state');
        if (hasState && (await readContentGeneration(replica.primary)) >= wanted) {
          return ok(`${shown} has every change, after ${waited} s`);
        }
      }
      return warning(
        `${shown} lacks changes that the primary made more than ${patienceSeconds} s ago: old answers can stay for gateway_cache_ttl`,
        'Look at the replication of that server: SHOW REPLICA STATUS',
      );
    } finally {
      await replica.close();
    }
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.kind === 'internal') throw cause;
    return warning(
      `a replica does not answer, and the primary is read instead. ${cause.message}`,
      'Start the replica, or remove it from HCD_DATABASE_READ_URLS',
    );
  }
}
