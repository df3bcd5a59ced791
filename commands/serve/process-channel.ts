/** Questions between the first process of a server and its workers. */
import type { Worker } from 'node:cluster';
import type { AddHits } from '../../src/identity/limits/counter.js';
import type { Samples } from '../../src/operations/admin/metrics.js';
import { perObject } from '../../src/values/kept-values.js';

interface Questions {
  stop(): void;
  /** `payload` as in the log, null for everything; absent when it is too long for a message. */
  content_changed(change: { readonly generation: number; readonly payload?: string | null }): void;
  credentials_changed(): void;
  requests(...hits: Parameters<AddHits>): Awaited<ReturnType<AddHits>>;
  totals(totals: Samples): void;
  samples(): { readonly totals: Samples; readonly states: Samples };
}
type Kind = keyof Questions;

export interface ProcessChannel {
  /** Rejects when the message cannot be sent or its work fails, and in the first process when the worker ends. */
  ask<K extends Kind>(kind: K, ...given: Parameters<Questions[K]>): Promise<ReturnType<Questions[K]>>;
  /** Before it is called, questions of this kind have an empty answer at once. */
  answer<K extends Kind>(
    kind: K,
    work: (...given: Parameters<Questions[K]>) => Promise<ReturnType<Questions[K]>>,
  ): void;
}

type Message = { readonly number: number } & (
  | { readonly kind: Kind; readonly given: readonly unknown[] }
  | { readonly answer: unknown }
  | { readonly failure: string }
);

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

export const channelTo = perObject((worker: Worker): ProcessChannel => {
  const works = new Map<Kind, (...given: never) => Promise<unknown>>();
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  const settle = (number: number): Waiting | undefined => {
    const found = waiting.get(number);
    waiting.delete(number);
    return found;
  };
  // The other process may have just died.
  const post = (message: Message, onFailure: (error: Error) => void = () => undefined): void =>
    void worker.send(message, (error: Error | null) => error !== null && onFailure(error));
  worker.on('message', (message: unknown) => {
    if (!isMessage(message)) return;
    const { number } = message;
    if ('answer' in message) settle(number)?.resolve(message.answer as never);
    else if ('failure' in message) settle(number)?.reject(new Error(message.failure));
    else {
      const work = works.get(message.kind)?.(...(message.given as never)) ?? Promise.resolve();
      work.then(
        (answer = null) => post({ number, answer }),
        (error: unknown) => post({ number, failure: String(error) }),
      );
    }
  });
  worker.once('exit', () => {
    for (const number of [...waiting.keys()]) settle(number)?.reject(new Error('the process has ended'));
  });
  return {
    ask(kind, ...given) {
      asked += 1;
      const number = asked;
      return new Promise((resolve, reject) => {
        waiting.set(number, { resolve, reject });
        post({ number, kind, given }, (error) => settle(number)?.reject(error));
      });
    },
    answer: (kind, work) => void works.set(kind, work),
  };
});

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'number' in message;
}
