/**
 * Writes what happens in a run to the file named by HCD_TEST_PROGRESS as it happens, a JSON object for each line: a run
 * that is stopped or dies leaves the count of what it did and the names of what it was doing.
 */
import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export type Progress =
  | { readonly kind: 'started'; readonly file: string }
  | { readonly kind: 'passed' | 'skipped'; readonly file: string; readonly test: string }
  | { readonly kind: 'failed'; readonly file: string; readonly test: string; readonly messages: readonly string[] }
  /** `broken`: it failed outside its tests, by an import, a hook or something left open. */
  | {
      readonly kind: 'ended';
      readonly file: string;
      readonly broken: boolean;
      readonly seconds: number;
      readonly messages: readonly string[];
    };

/** Without the differences and stacks, which the run itself shows. What was thrown need not have a message. */
function messagesOf(errors: readonly { readonly message?: string }[]): readonly string[] {
  return errors.map(({ message }) => String(message).slice(0, 2_000));
}

export default class ProgressReporter implements Reporter {
  readonly #target = process.env['HCD_TEST_PROGRESS'];

  onTestModuleQueued(module: TestModule): void {
    this.#write({ kind: 'started', file: module.relativeModuleId });
  }

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    const name = { file: test.module.relativeModuleId, test: test.fullName };
    if (result.state === 'failed') this.#write({ kind: 'failed', ...name, messages: messagesOf(result.errors) });
    else if (result.state !== 'pending') this.#write({ kind: result.state, ...name });
  }

  onTestModuleEnd(module: TestModule): void {
    const hasFailedTest = !module.children.allTests('failed').next().done;
    const { collectDuration, setupDuration, duration } = module.diagnostic();
    this.#write({
      kind: 'ended',
      file: module.relativeModuleId,
      broken: !module.ok() && !hasFailedTest,
      seconds: Math.round((collectDuration + setupDuration + duration) / 1000),
      messages: messagesOf(module.errors()),
    });
  }

  #write(progress: Progress): void {
    if (this.#target !== undefined) appendFileSync(this.#target, `${JSON.stringify(progress)}\n`);
  }
}
