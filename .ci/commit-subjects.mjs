/**
 * Checks the subjects of commits: a type, then a sentence in the imperative, at most 72 characters.
 *
 * node .ci/commit-subjects.mjs --message FILE   the message that git is about to commit (.githooks/commit-msg)
 * node .ci/commit-subjects.mjs                  the commits of a submission (.ci/run)
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { argv, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';

const types = ['feat', 'fix', 'docs', 'refactor', 'style', 'test', 'chore', 'perf', 'build', 'ci'];
const longest = 72;

/** The last commit before the rule; its date stands for it where a shallow clone does not have it. */
const before = { commit: '59d203e596aff0685dfdf491e791f88838a457e7', date: '2026-11-22T21:37:21Z' };
/** Commits that are checked where the start of the submission is not known. */
const most = 50;

/** Imperatives that end like another form. */
const imperatives = new Set([
  ...[
    'bleed',
    'breed',
    'embed',
    'exceed',
    'feed',
    'heed',
    'need',
    'proceed',
    'seed',
    'shed',
    'shred',
    'speed',
    'succeed',
  ],
  ...['bring', 'cling', 'ping', 'ring', 'sing', 'sling', 'spring', 'string', 'swing', 'wring'],
  ...['alias', 'bias', 'canvas', 'focus'],
]);

/** What is wrong with a subject; null when it is right. */
export function problemOf(subject) {
  if (subject.length > longest) return `it has ${subject.length} characters, at most ${longest} are allowed`;
  const [, type, word = ''] = /^([a-z]+)(?:\([^()]+\))?!?: (\S+)/.exec(subject) ?? [];
  if (!types.includes(type))
    return `it must start with a type and a colon, such as "fix(store): "; types: ${types.join(', ')}`;
  const first = word.toLowerCase().replace(/[^a-z-].*$/, '');
  const isOther = /(?:ed|ing|[^s]s)$/.test(first) && !imperatives.has(first);
  return isOther ? `"${word}" is not in the imperative: say what the commit does, as in "add" or "fix"` : null;
}

/** Merges, and commits that are folded into another one before they are submitted, have subjects of git. */
function isOfGit(subject) {
  return /^(?:Merge |Revert "|fixup! |squash! |amend! )/.test(subject);
}

function git(...words) {
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Hash and subject of the commits to check, by lines; null where this is not a checkout. */
function submission() {
  const head = git('rev-parse', 'HEAD');
  if (head === null) return null;
  const base = git('merge-base', 'HEAD', 'origin/main');
  const range = base === null || base === head ? [`--max-count=${most}`, 'HEAD'] : [`${base}..HEAD`];
  const isKnown = git('cat-file', '-e', `${before.commit}^{commit}`) !== null;
  return git(
    'log',
    '--no-merges',
    '--format=%h %s',
    `--since=${before.date}`,
    ...range,
    ...(isKnown ? ['--not', before.commit] : []),
  );
}

function refuse(subjects) {
  for (const [subject, problem] of subjects) stderr.write(`Subject of a commit: ${subject}\n  ${problem}\n`);
  process.exitCode = subjects.length > 0 ? 1 : 0;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [option, file] = argv.slice(2);
  if (option === '--message') {
    const subject =
      readFileSync(file, 'utf8')
        .split('\n')
        .find((line) => !line.startsWith('#')) ?? '';
    const problem = isOfGit(subject) ? null : problemOf(subject);
    refuse(problem === null ? [] : [[subject, problem]]);
  } else {
    const lines = submission();
    if (lines === null) stderr.write('No git checkout: the subjects of commits are not checked\n');
    const commits = (lines ?? '').split('\n').filter((line) => line !== '');
    refuse(
      commits
        .map((line) => [line, problemOf(line.slice(line.indexOf(' ') + 1))])
        .filter(([, problem]) => problem !== null),
    );
  }
}
