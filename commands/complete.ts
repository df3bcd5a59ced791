/** What can follow on a command line. The scripts of `hcd completion` ask `hcd __complete WORD...` at each key press. */
import { flagOf, globalParameters, helpFlag, type Parameter, type Parameters, versionFlag } from './parameters.js';
import { aliasOf, childrenOf, isCommand, lastWord, type Program, summaryOf } from './program.js';

interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** `file`: the shell completes names of files. */
type Completion = readonly Candidate[] | 'file';

interface Place {
  readonly path: string;
  readonly arguments: Parameters;
  readonly options: Parameters;
  readonly flag: Parameter<unknown> | null;
}

/** Completes the last word: a line for each candidate, its description after a tab; `:file` leaves it to the shell. */
export async function completionText(program: Program, words: readonly string[]): Promise<string> {
  const last = words.at(-1) ?? '';
  const found = completionAt(program, await placeOf(program, words.slice(0, -1)), last);
  if (found === 'file') return ':file\n';
  const fitting = found.filter(({ word }) => word.startsWith(last));
  return fitting.map(({ word, description }) => `${word}\t${description}\n`).join('');
}

async function placeOf(program: Program, words: readonly string[]): Promise<Place> {
  let place: Place = { path: '', arguments: {}, options: {}, flag: null };
  for (const word of words) {
    if (place.flag !== null) place = { ...place, flag: null };
    else if (word.startsWith('-')) place = { ...place, flag: flagAt(place, word) };
    else place = await below(program, place, word);
  }
  return place;
}

function flagAt({ options }: Place, word: string): Parameter<unknown> | null {
  const found = Object.entries({ ...globalParameters, ...options }).find(([name]) => flagOf(name) === word)?.[1];
  return found === undefined || found.placeholder === null ? null : found;
}

async function below(program: Program, place: Place, word: string): Promise<Place> {
  if (isCommand(program, place.path)) return place;
  const path = childrenOf(program, place.path).find((child) => namesOf(program, child).includes(word));
  if (path === undefined) return place;
  if (!isCommand(program, path)) return { ...place, path };
  const { arguments: args, options } = await program.load(path);
  return { ...place, path, arguments: args, options };
}

function completionAt(program: Program, place: Place, last: string): Completion {
  if (place.flag !== null) return valuesOf([place.flag]);
  if (last.startsWith('-')) return [...flagsOf(place.options), ...flagsOf(globalParameters), ...alwaysThere];
  if (isCommand(program, place.path)) return valuesOf(Object.values(place.arguments));
  return childrenOf(program, place.path).flatMap((child) =>
    namesOf(program, child).map((word) => ({ word, description: summaryOf(program, child) })),
  );
}

const alwaysThere = [helpFlag, versionFlag].map(({ flags, description }): Candidate => {
  return { word: flags.slice(flags.indexOf('--')), description };
});

function valuesOf(parameters: readonly Parameter<unknown>[]): Completion {
  if (parameters.some(({ kind }) => kind === 'file')) return 'file';
  return parameters.flatMap(({ choices, description }) => choices.map((word) => ({ word, description })));
}

function flagsOf(parameters: Parameters): Candidate[] {
  return Object.entries(parameters).map(([name, { description }]) => ({ word: flagOf(name), description }));
}

function namesOf(program: Program, path: string): string[] {
  const alias = isCommand(program, path) ? aliasOf(path) : undefined;
  return alias === undefined ? [lastWord(path)] : [lastWord(path), alias];
}
