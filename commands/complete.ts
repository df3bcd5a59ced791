/** What can follow on a command line. The scripts of `hcd completion` ask `hcd __complete WORD...` at each key press. */
import { globalParameters, helpFlag, type NamedParameter, type NamedParameters, versionFlag } from './parameters.js';
import { aliasOf, childrenOf, isCommand, lastWord, type Program, summaryOf } from './program.js';

interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** `file`: the shell completes names of files. */
type Completion = readonly Candidate[] | 'file';

interface Place {
  readonly path: string;
  readonly arguments: NamedParameters;
  readonly options: NamedParameters;
  readonly flag?: NamedParameter | undefined;
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
  let place: Place = { path: '', arguments: {}, options: {} };
  for (const word of words) {
    if (place.flag !== undefined) place = { ...place, flag: undefined };
    else if (word.startsWith('-')) place = { ...place, flag: flagAt(place, word) };
    else place = await below(program, place, word);
  }
  return place;
}

function flagAt({ options }: Place, word: string): NamedParameter | undefined {
  const all = Object.values({ ...globalParameters, ...options });
  return all.find(({ label, placeholder }) => label === word && placeholder !== null);
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
  if (place.flag !== undefined) return valuesOf([place.flag]);
  if (last.startsWith('-')) {
    const flags = [...Object.values(place.options), ...Object.values(globalParameters)];
    return [...flags.map(({ label, description }) => ({ word: label, description })), ...alwaysThere];
  }
  if (isCommand(program, place.path)) return valuesOf(Object.values(place.arguments));
  return childrenOf(program, place.path).flatMap((child) =>
    namesOf(program, child).map((word) => ({ word, description: summaryOf(program, child) })),
  );
}

const alwaysThere = [helpFlag, versionFlag].map(({ flags, description }): Candidate => {
  return { word: flags.slice(flags.indexOf('--')), description };
});

function valuesOf(parameters: readonly NamedParameter[]): Completion {
  if (parameters.some(({ kind }) => kind === 'file')) return 'file';
  return parameters.flatMap(({ choices, description }) => choices.map((word) => ({ word, description })));
}

function namesOf(program: Program, path: string): string[] {
  const alias = isCommand(program, path) ? aliasOf(path) : undefined;
  return alias === undefined ? [lastWord(path)] : [lastWord(path), alias];
}
