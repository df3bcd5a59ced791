/** Translates errors of drivers and Sequelize by class and code: texts differ by version and language. */
import { BaseError, ConnectionAcquireTimeoutError } from 'sequelize';
import { type DatabaseAddress, maskDatabaseUrl } from '../../config/address-values.js';
import { AppError, retrySeconds } from '../../errors/app-error.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import { failureOfCode, isLockTimeoutNumber, type StoreFailure } from './error-codes.js';

const diskFull = 'The database cannot be written: its disk is full, or fails';
const waitedTooLong = 'The database was held by other writes for too long';

/** The innermost error with a code decides. */
export function classifyFailure(error: unknown): StoreFailure {
  if (error instanceof ConnectionAcquireTimeoutError) return 'exhausted';
  for (const link of causes(error)) {
    const failure = failureOfCode(codesOf(link));
    if (failure !== undefined) return failure;
  }
  return 'bug';
}

/** For callers that chose not to wait: their transaction stays valid, and repeating it would not help. */
export function isLockTimeout(error: unknown): boolean {
  return causes(error).some((link) => isLockTimeoutNumber(codesOf(link).number));
}

/** Sequelize writes values into its errors, and causes are logged: only the database's text and codes are kept. */
export function toModelError(error: unknown, table: string): AppError {
  if (!(error instanceof BaseError) || classifyFailure(error) === 'exhausted') return toAppError(error);
  const refusal = causes(error).find((link) => link instanceof AppError);
  if (refusal !== undefined) return toAppError(refusal);
  const [said = error] = causes(error);
  const text = 'sqlMessage' in said ? said.sqlMessage : 'message' in said ? said.message : '';
  const codes = Object.entries(codesOf(said)).map(([name, value]) => [name === 'number' ? 'errno' : name, value]);
  return toAppError(Object.assign(new Error(`${table}: ${text}`), Object.fromEntries(codes)));
}

interface Answer {
  readonly code?: ErrorCode;
  readonly message?: string;
}

/** The error of a caller. A failure without a code, or without a row, is `unavailable`. */
const answers: Readonly<Partial<Record<StoreFailure, Answer>>> = {
  busy: { message: 'The database refused to wait longer for a lock (innodb_lock_wait_timeout)' },
  exhausted: { message: 'The database has no free connection (max_connections)' },
  timeout: { message: 'The database took too long for a statement or a lock (max_statement_time)' },
  too_large: {
    code: 'payload_too_large',
    message: 'The database takes no value or row of this size (max_allowed_packet, or the size of its rows)',
  },
  denied: {
    code: 'database_not_ready',
    message: 'The database user lacks a right that this needs: grant it, or use another user in the database URL',
  },
  schema: {
    code: 'database_not_ready',
    message: 'The database lacks a table or column: run hcd migrate, or hcd doctor to see what is wrong',
  },
  conflict: { code: 'conflict' },
  invalid: {
    code: 'validation_failed',
    message: 'A value does not fit its column: too long, out of range, or with characters that the column cannot hold',
  },
  bug: { code: 'internal_error' },
};

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const failure = classifyFailure(error);
  const { code = 'unavailable', ...known } = answers[failure] ?? {};
  const said = failure === 'busy' && !isLockTimeout(error) ? { message: waitedTooLong } : known;
  const details = code === 'unavailable' ? { details: { retryAfter: retrySeconds } } : {};
  return new AppError(code, { ...said, ...details, cause: error });
}

export function outageOf(error: AppError): { kind: 'store_unavailable'; code: string; problem?: string } {
  const [code = error.code] = causes(error).flatMap((link) => codesOf(link).code ?? []);
  const problem = classifyFailure(error) === 'full' ? diskFull : error.code === 'unavailable' ? null : error.message;
  return { kind: 'store_unavailable', code, ...(problem === null ? {} : { problem }) };
}

export function toStartError(error: unknown, target: { address: DatabaseAddress; url: string }): AppError {
  if (error instanceof AppError) return error;
  return new AppError('database_unreachable', {
    message: `The database ${maskDatabaseUrl(target.url)} cannot be opened: ${advice(classifyFailure(error), target.address)}`,
    cause: error,
  });
}

function advice(failure: StoreFailure, address: DatabaseAddress): string {
  if (address.dialect === 'sqlite') return sqliteAdvice(failure, address.path);
  const place = address.socketPath ?? `${address.host}:${address.port}`;
  const silent = `the server at ${place} does not answer in time. Check that it is up and not overloaded.`;
  const known: Readonly<Partial<Record<StoreFailure, string>>> = {
    unreachable: `nothing answers at ${place}. Start the database server, or correct host and port.`,
    unknown_host: `the host name ${address.host} is not known. Correct it, or check the name service.`,
    denied: `the server refused the user "${address.user}". Correct user and password, or grant it the database "${address.database}".${address.tls === 'off' ? ' MySQL takes passwords only with ?tls=require.' : ''}`,
    no_database: `the server has no database "${address.database}". Create it with CREATE DATABASE \`${address.database}\` CHARACTER SET utf8mb4, or correct the name.`,
    exhausted: `the server at ${place} has reached its connection limit. Raise its max_connections, or close other clients.`,
    ...{ gone: silent, timeout: silent, busy: silent },
  };
  return known[failure] ?? `the server at ${place} refused the connection. hcd doctor shows its answer.`;
}

function sqliteAdvice(failure: StoreFailure, path: string): string {
  const known: Readonly<Partial<Record<StoreFailure, string>>> = {
    busy: 'another process keeps it locked. End that process, or wait.',
    not_a_database: `${path} is damaged or is not a SQLite file. Restore a backup, or name another file.`,
    full: 'the disk is full or failing. Free space on it.',
  };
  return (
    known[failure] ?? `check that the folder of ${path} exists and that this user may write the file and the folder.`
  );
}

/** Adds the answer of the database, which callers over HTTP do not get. */
export function toCommandError(error: AppError): AppError {
  const answer = answerOf(error);
  const loss = error.code === 'unavailable' ? losses[classifyFailure(error)] : undefined;
  if (answer === undefined && loss === undefined) return error;
  return new AppError(loss === undefined ? error.code : 'database_unreachable', {
    message: loss ?? error.message,
    details: { ...error.details, ...(answer === undefined ? {} : { cause: answer }) },
    cause: error,
  });
}

function answerOf(error: AppError): string | undefined {
  const said = causes(error).find((link) => /^(ER|SQLITE)_/.test(codesOf(link).code ?? ''));
  if (said === undefined) return undefined;
  const { code, number } = codesOf(said);
  const text = 'sqlMessage' in said ? said.sqlMessage : 'message' in said ? said.message : '';
  return `${text} (${number ?? code})`;
}

const lost = 'The connection to the database was lost. Repeat the command when its server answers.';
const losses: Readonly<Partial<Record<StoreFailure, string>>> = {
  full: `${diskFull}. Free space on it.`,
  ...{ gone: lost, unreachable: lost },
  busy: 'The database is locked by other processes. Repeat the command later.',
  exhausted: 'The database has no free connection. Raise its max_connections, or close other clients.',
  timeout: 'The database took too long for a statement. Repeat the command later, or raise its max_statement_time.',
};

/** Innermost first: Sequelize puts the driver's error under `original`. */
function causes(error: unknown): object[] {
  const chain: object[] = [];
  let link: unknown = error;
  while (typeof link === 'object' && link !== null && chain.length < 8 && !chain.includes(link)) {
    chain.unshift(link);
    if (link instanceof BaseError && 'original' in link) link = link.original;
    else link = 'cause' in link ? link.cause : undefined;
  }
  return chain;
}

function codesOf(error: object): { code: string | undefined; number: number | undefined } {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const number = 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined;
  return { code, number };
}
