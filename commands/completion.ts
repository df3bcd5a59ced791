/** `hcd completion`: a script that completes commands, flags and known values in a shell. */
import { choiceValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { completionData } from './completion-data.js';
import { completionScript, shells } from './completion-scripts.js';
import { required } from './parameters.js';
import { createProgram } from './program.js';

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
    const script = completionScript(shell, await completionData(createProgram()));
    return { kind: 'text', text: script, data: { shell, script } };
  },
});
