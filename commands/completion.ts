/** `hcd completion`: a script that completes commands, flags and known values in a shell. */
import { choiceValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { required } from './parameters.js';

const shells = ['bash', 'zsh', 'fish'] as const;

const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `# bash completion for hcd; load it with: source <(hcd completion bash)
_hcd() {
  local IFS=$'\\n' found
  found=$("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $found == :file ]]; then
    COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
    compopt -o filenames 2>/dev/null
  else
    COMPREPLY=($(cut -f 1 <<< "$found"))
  fi
}

complete -F _hcd hcd
`,
  zsh: `#compdef hcd
# zsh completion for hcd; load it with: source <(hcd completion zsh)
_hcd() {
  local -a found items
  found=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  items=("\${(@)\${(@)found//:/\\:}/$'\t'/:}")
  if [[ $found[1] == :file ]]; then
    _files
  elif [[ $PREFIX == -* ]]; then
    _describe -o flag items
  else
    _describe word items
  fi
}

if [[ \${funcstack[1]} == _hcd ]]; then _hcd "$@"; else compdef _hcd hcd; fi
`,
  fish: `# fish completion for hcd; load it with: hcd completion fish | source
function __hcd_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] __complete $words[2..] 2>/dev/null)
  if test "$found" = :file
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end

complete -c hcd -f -a '(__hcd_complete)'
`,
};

export const command = defineCommand({
  description:
    'Prints a script that completes commands, flags and known values. Load it in the startup file of the shell, or save it where the shell looks for completions.',
  arguments: {
    shell: required(choiceValue(shells), 'Shell to print the script for'),
  },
  examples: {
    'completion bash > ~/.local/share/bash-completion/completions/hcd': 'Install it for bash',
    'completion fish > ~/.config/fish/completions/hcd.fish': 'Install it for fish',
  },
  async run({ shell }) {
    const script = scripts[shell];
    return { kind: 'text', text: script, data: { shell, script } };
  },
});
