/** Whether a section is shown in one request (docs/pages-documents.md#settings-of-a-section). */
import type { PageSection, SectionCondition } from './page-document.js';

/** What visibility asks of a request. */
export interface Visit {
  readonly context: string;
  /** First value of each query parameter. */
  readonly query: ReadonlyMap<string, string>;
  /** Callers with a page token are guests. */
  readonly isLoggedIn: boolean;
}

/** Enabled, and every rule of its settings holds. */
export function isVisible({ enabled, settings }: PageSection, visit: Visit): boolean {
  if (!enabled) return false;
  const { contexts, utm, conditions } = settings;
  if (contexts && contexts.length > 0 && !contexts.includes(visit.context)) return false;
  if (utm && !Object.entries(utm).every(([name, values]) => holdsUtm({ name, values }, visit))) return false;
  return (conditions ?? []).every((condition) => holdsCondition(condition, visit));
}

/** Whether the answer for the section depends on more than the page: caches must not mix such answers. */
export function isConditional({ settings }: PageSection): boolean {
  return settings.contexts !== undefined || settings.utm !== undefined || settings.conditions !== undefined;
}

function holdsUtm(
  { name, values }: { readonly name: string; readonly values: readonly string[] },
  visit: Visit,
): boolean {
  const given = visit.query.get(`utm_${name}`);
  return given !== undefined && values.includes(given);
}

function holdsCondition(condition: SectionCondition, visit: Visit): boolean {
  switch (condition.type) {
    case 'query': {
      const given = visit.query.get(condition.name);
      return given !== undefined && (condition.value === undefined || condition.value === given);
    }
    case 'context':
      return condition.value === visit.context;
    case 'guest':
      return !visit.isLoggedIn;
    case 'logged_in':
      return visit.isLoggedIn;
    default:
      return refuseUnknown(condition);
  }
}

/** A rule that this version does not know hides: showing what was meant for few is worse. */
function refuseUnknown(_condition: never): false {
  return false;
}
