/** A check of `hcd doctor`: a row of data and a function from facts to findings. Checks change nothing. */
import type { Clock } from '../../clock/clock.js';
import type { Environment } from '../../config/definitions.js';
import type { LoadedConfig } from '../../config/load.js';
import type { AppError } from '../../errors/app-error.js';
import type { MigrationRun } from '../../store/migrations/migrate.js';
import type { Store } from '../../store/open/open.js';

type CheckState = 'ok' | 'warning' | 'error';

export interface Finding {
  readonly state: CheckState;
  readonly detail: string;
  readonly fix: string | null;
  readonly command?: FixCommand;
}

/** For programs that offer the fix: an argument that is missing, and an option that is null, a person has to give. */
export type FixCommand = Readonly<{
  path: string;
  arguments: readonly string[];
  options: Readonly<Record<string, string | boolean | null>>;
}>;

export function fixCommand(
  path: string,
  args: readonly (string | number)[] = [],
  options: FixCommand['options'] = {},
): FixCommand {
  return { path, arguments: args.map(String), options };
}

export interface Facts {
  readonly nodeVersion: string;
  readonly env: Environment;
  readonly clock: Clock;
  readonly configFile: string | null;
  readonly configuration: LoadedConfig | AppError;
  /** The error says why there is no store; null when the configuration does not say which. */
  readonly store: Store | AppError | null;
  readonly migrationRun: (store: Store) => MigrationRun;
}

export interface ConfiguredFacts extends Facts {
  readonly configuration: LoadedConfig;
}

export interface StoreFacts extends ConfiguredFacts {
  readonly store: Store;
}

type Findings = Finding | readonly Finding[];

interface CheckOf<Needs extends string, F extends Facts> {
  readonly name: string;
  readonly needs: Needs;
  /** Without its own table there is nothing to check; the check of migrations reports it. */
  readonly table?: string;
  readonly run: (facts: F) => Promise<Findings>;
}

export type Check =
  | CheckOf<'nothing', Facts>
  | CheckOf<'configuration', ConfiguredFacts>
  | CheckOf<'store', StoreFacts>
  | CheckOf<'content', StoreFacts>;

export function ok(detail: string): Finding {
  return { state: 'ok', detail, fix: null };
}

export function warning(detail: string, fix: string | null, command?: FixCommand): Finding {
  return { state: 'warning', detail, fix, ...(command && { command }) };
}

export function error(detail: string, fix: string | null, command?: FixCommand): Finding {
  return { state: 'error', detail, fix, ...(command && { command }) };
}

export function when(condition: boolean, finding: Finding): Finding[] {
  return condition ? [finding] : [];
}

export function orOk(findings: readonly Finding[], detail: string): readonly Finding[] {
  return findings.length > 0 ? findings : [ok(detail)];
}

/** The first few of many, such as "a, b, …". */
export function sample(names: readonly (string | number)[], shown = 5): string {
  const list = names.slice(0, shown).join(', ');
  return names.length > shown ? `${list}, …` : list;
}
