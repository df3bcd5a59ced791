/** Checks of several database servers: the state of a Galera node, and how far read replicas are behind. */
import type { Reader } from '../../store/base/database.js';
import { readContentGeneration } from '../../store/state/state.js';
import { readReached, readReplication, withReplica } from '../processes/replica-state.js';
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
