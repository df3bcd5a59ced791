/** Prompts by inquirer on standard error. Without a terminal, or with `--yes`, defaults count; else a usage error. */

import type { Readable } from 'node:stream';
import type { ValueType } from '../src/config/value-type.js';
import { escapeControls } from '../src/values/text.js';
import { Interrupted } from './exit-codes.js';
import { usageError } from './parameters.js';
import type { Io } from './streams.js';

const list = { pageSize: 12, loop: false };

interface Question {
  readonly message: string;
  readonly flag: string;
}

type Choices<T> = { readonly choices: readonly T[] };

export type Prompt = ReturnType<typeof createPrompt>;

interface PromptOptions {
  readonly io: Io;
  readonly yes: boolean;
  readonly isInteractive: boolean;
  readonly stop: AbortSignal;
}

export function notEmpty(text: string): string | null {
  return text.trim() === '' ? 'must not be empty' : null;
}

/** `value` counts where nothing is asked. */
export async function askValue<T>(
  prompt: Prompt,
  { type, value, ...question }: Question & { readonly type: ValueType<T>; readonly value?: T },
): Promise<T> {
  const text = await prompt.text({
    ...question,
    ...(value === undefined ? {} : { default: type.format(value) }),
    check(answer) {
      const parsed = type.parse(answer);
      return parsed.ok ? null : parsed.problem;
    },
  });
  const parsed = type.parse(text);
  if (parsed.ok) return parsed.value;
  throw usageError({ [question.flag]: parsed.problem });
}

export function createPrompt(options: PromptOptions) {
  const { yes, isInteractive } = options;
  const answer = <T>(question: Question, fallback: T | undefined, spec: QuestionSpec): Promise<T> => {
    if (isInteractive) return askInquirer<T>(options, { ...spec, message: escapeControls(question.message) });
    if (fallback === undefined) throw usageError({ [question.flag]: 'is required: not a terminal, cannot prompt' });
    return Promise.resolve(fallback);
  };
  return Object.freeze({
    isInteractive,
    text: async (
      question: Question & { readonly default?: string; readonly check?: (text: string) => string | null },
    ) =>
      answer<string>(question, question.default, {
        type: 'input',
        default: question.default,
        validate: (text: string) => question.check?.(text) ?? true,
      }),
    /** Without a terminal only `--yes` agrees. The default is no. */
    confirm: async (question: Question & { readonly default?: boolean }) =>
      answer<boolean>(question, yes ? true : undefined, {
        type: 'confirm',
        default: question.default ?? false,
      }),
    choose: async <T extends string>(question: Question & Choices<T> & { readonly default?: T }) =>
      answer<T>(question, question.default, { type: 'select', ...list, ...question }),
    chooseMany: async <T extends string>(
      question: Question & Choices<T> & { readonly default?: readonly T[]; readonly least?: 0 | 1 },
    ) =>
      answer<readonly T[]>(question, question.default, {
        ...{ type: 'checkbox', ...list, required: question.least === 1 },
        choices: question.choices.map((value) => ({
          value,
          name: escapeControls(value),
          checked: question.default?.includes(value) ?? false,
        })),
      }),
    /** Hidden while it is typed; never has a default. */
    password: async (question: Question) => answer<string>(question, undefined, { type: 'password', mask: true }),
  });
}

type QuestionSpec = { readonly type: 'input' | 'confirm' | 'select' | 'checkbox' | 'password' } & Record<
  string,
  unknown
>;

async function askInquirer<T>(
  { io, stop }: PromptOptions,
  spec: QuestionSpec & { readonly message: string },
): Promise<T> {
  const { default: inquirer } = await import('inquirer');
  const end = endOfInput(io.stdin.stream);
  const signal = AbortSignal.any([stop, end.signal]);
  // Standard output holds the result only.
  const ask = inquirer.createPromptModule({ input: io.stdin.stream, output: io.stderr.stream, signal });
  try {
    const answers: Readonly<Record<string, unknown>> = await ask([{ ...spec, name: 'answer' }]);
    return answers['answer'] as T;
  } catch (error) {
    // The library documents these two names for errors when the user leaves the question.
    if (error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name)) throw new Interrupted();
    throw error;
  } finally {
    end.forget();
  }
}

/** After Ctrl-D the library only stops reading, and the process would end in the middle of the command. */
function endOfInput(input: Readable): { readonly signal: AbortSignal; readonly forget: () => void } {
  const controller = new AbortController();
  // An answer makes the library stop reading too, but then `forget` comes first.
  const look = (): void => void setImmediate(() => controller.abort());
  const forget = (): void => {
    for (const event of ['pause', 'end']) input.removeListener(event, look);
  };
  for (const event of ['pause', 'end']) input.on(event, look);
  return { signal: controller.signal, forget };
}
