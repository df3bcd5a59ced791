/** Where the program's own tables stand, and what a second database for them cannot promise. */
import { type Finding, ok, type StoreFacts, warning } from './check.js';
import { lacksTransactions, readTables } from './read-tables.js';

/** The change is committed before its announcement and its kept answer; a tree is locked by rows of the content. */
export function checkOwnTables(facts: StoreFacts): Finding | Finding[] {
  const { own, content, tables, prefix } = facts.store;
  if (own === content) {
    return readTables(facts).some(lacksTransactions)
      ? ok('in the database of the content, of which some tables have no transactions (see engines)')
      : ok('in the database of the content: a change, its events and its answer are one transaction');
  }
  const findings = [
    warning(
      'in another database than the content, and two cannot commit as one: where hcd is killed, or one of them fails, between the two commits, the change stays without its webhook event, other servers keep older answers for gateway_cache_ttl, and its Idempotency-Key answers 409 as long as it is kept; nothing is done twice',
      'Unset HCD_OWN_DATABASE_URL to keep all in one database, or keep it and look after an interrupted request by hand (docs/idempotency.md)',
    ),
  ];
  const contexts = tables.get(`${prefix}context`);
  if (contexts !== undefined && lacksTransactions(contexts)) {
    findings.push(
      warning(
        `${prefix}context is ${contexts.engine} and has no row locks: two changes of the tree at the same time can give two resources one URI, or move each below the other`,
        `The owner may run: ALTER TABLE ${prefix}context ENGINE=InnoDB; or unset HCD_OWN_DATABASE_URL`,
      ),
    );
  }
  return findings;
}
