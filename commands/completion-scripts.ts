/** Completion scripts for bash, zsh and fish, written from the same rows. Each walks the words to a node of the tree. */
import type { CompletionData, CompletionNode, FlagCandidate } from './completion-data.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export function completionScript(shell: Shell, data: CompletionData): string {
  const writers: Readonly<Record<Shell, (data: CompletionData) => string>> = {
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  };
  return writers[shell](data);
}

interface PlacedFlag extends FlagCandidate {
  readonly at: string;
}

function placedFlags(data: CompletionData): readonly PlacedFlag[] {
  const own = data.nodes.flatMap((node) => node.flags.map((flag) => ({ ...flag, at: node.path })));
  return [...own, ...data.globalFlags.map((flag) => ({ ...flag, at: '*' }))];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The star of global flags stays outside the quotes. */
function pattern(at: string, word: string): string {
  return at === '*' ? `*:${word}` : quote(`${at}:${word}`);
}

function walkBranches(data: CompletionData): string[] {
  const withValue = placedFlags(data).filter(({ value }) => value !== 'none');
  return [
    `${withValue.map(({ at, word }) => pattern(at, word)).join('|')}) skip=1 ;;`,
    '*:-*) ;;',
    ...data.steps.map(({ from, word, to }) => `${quote(`${from}:${word}`)}) node=${quote(to)} ;;`),
  ];
}

function indent(lines: readonly string[], depth: number): string {
  return lines.map((line) => `${' '.repeat(depth)}${line}`).join('\n');
}

function flagWords(node: CompletionNode, data: CompletionData): string[] {
  return [...node.flags, ...data.globalFlags].map(({ word }) => word);
}

function bashScript(data: CompletionData): string {
  const values = placedFlags(data).flatMap((flag) => {
    const place = pattern(flag.at, flag.word);
    if (flag.value === 'words') return [`${place}) _hcd_words ${quote(flag.choices.join(' '))}; return ;;`];
    if (flag.value === 'file') return [`${place}) _hcd_files; return ;;`];
    return flag.value === 'text' ? [`${place}) return ;;`] : [];
  });
  const nodes = data.nodes.map((node) => {
    const words = node.words.map(({ word }) => word).join(' ');
    return `${quote(node.path)}) words=${quote(words)} flags=${quote(flagWords(node, data).join(' '))} files=${node.takesFiles ? 1 : ''} ;;`;
  });
  return `# bash completion for hcd; load it with: source <(hcd completion bash)
_hcd_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_hcd_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$cur"))
  compopt -o filenames 2>/dev/null
}

_hcd() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local node= word= skip= words= flags= files= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $skip ]]; then skip=; continue; fi
    case "$node:$word" in
${indent(walkBranches(data), 6)}
    esac
  done
  if [[ -n $skip ]]; then
    case "$node:$prev" in
${indent(values, 6)}
    esac
  fi
  case "$node" in
${indent(nodes, 4)}
  esac
  if [[ $cur == -* ]]; then
    _hcd_words "$flags"
  elif [[ -n $files ]]; then
    _hcd_files
  else
    _hcd_words "$words"
  fi
}

complete -F _hcd hcd
`;
}

/** For _describe, whose separator is the colon. */
function zshItems(items: readonly { readonly word: string; readonly description: string }[]): string {
  return items.map(({ word, description }) => quote(`${word.replaceAll(':', '\\:')}:${description}`)).join(' ');
}

function zshScript(data: CompletionData): string {
  const values = placedFlags(data).flatMap((flag) => {
    const place = pattern(flag.at, flag.word);
    if (flag.value === 'words') return [`${place}) compadd -- ${flag.choices.map(quote).join(' ')}; return ;;`];
    if (flag.value === 'file') return [`${place}) _files; return ;;`];
    return flag.value === 'text' ? [`${place}) _message ${quote(flag.description)}; return ;;`] : [];
  });
  const nodes = data.nodes.map(
    (node) =>
      `${quote(node.path)}) items=(${zshItems(node.words)}) flags=(${zshItems([...node.flags, ...data.globalFlags])}) files=${node.takesFiles ? 1 : ''} ;;`,
  );
  return `#compdef hcd
# zsh completion for hcd; load it with: source <(hcd completion zsh)
_hcd() {
  local node= word= skip= files= prev=\${words[CURRENT-1]}
  local -a items flags
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $skip ]]; then skip=; continue; fi
    case "$node:$word" in
${indent(walkBranches(data), 6)}
    esac
  done
  if [[ -n $skip ]]; then
    case "$node:$prev" in
${indent(values, 6)}
    esac
  fi
  case "$node" in
${indent(nodes, 4)}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o 'flag' flags
  elif [[ -n $files ]]; then
    _files
  else
    _describe 'command' items
  fi
}

if [[ \${funcstack[1]} == _hcd ]]; then _hcd "$@"; else compdef _hcd hcd; fi
`;
}

/** Inside single quotes fish escapes backslash and quote. */
function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function fishScript(data: CompletionData): string {
  const withValue = placedFlags(data).filter(({ value }) => value !== 'none');
  const walk = [
    `case ${withValue.map(({ at, word }) => fishQuote(`${at}:${word}`)).join(' ')}`,
    '  set skip 1',
    "case '*:-*'",
    ...data.steps.flatMap(({ from, word, to }) => [
      `case ${fishQuote(`${from}:${word}`)}`,
      `  set node ${fishQuote(to)}`,
    ]),
  ];
  const lines = data.nodes.flatMap((node) => {
    const at = `-n ${fishQuote(`__hcd_at "${node.path}"`)}`;
    return [
      ...node.words.map(({ word, description }) => `${at} -a ${fishQuote(word)} -d ${fishQuote(description)}`),
      ...(node.takesFiles ? [`${at} -F`] : []),
      ...node.flags.map((flag) => `${at} ${fishFlag(flag)}`),
    ];
  });
  return `# fish completion for hcd; load it with: hcd completion fish | source
function __hcd_at
  set -l node ''
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch "$node:$word"
${indent(walk, 6)}
    end
  end
  test "$node" = "$argv[1]"
end

complete -c hcd -f
${[...lines, ...data.globalFlags.map(fishFlag)].map((line) => `complete -c hcd ${line}`).join('\n')}
`;
}

function fishFlag({ word, description, value, choices }: FlagCandidate): string {
  const name = `-l ${fishQuote(word.slice(2))} -d ${fishQuote(description)}`;
  if (value === 'none') return name;
  if (value === 'file') return `${name} -r -F`;
  return value === 'words' ? `${name} -x -a ${fishQuote(choices.join(' '))}` : `${name} -x`;
}
