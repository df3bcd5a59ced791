/** Both ends of the channel between the first process of a server and a worker. */
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';

export class ProcessPipe {
  readonly inFirst = end();
  readonly inWorker = end();
  /** Off: every message is lost, as in a dead process. */
  isOpen = true;

  constructor() {
    for (const [one, other] of [
      [this.inFirst, this.inWorker],
      [this.inWorker, this.inFirst],
    ] as const) {
      Object.assign(one, {
        send: (message: unknown, done: (error: Error | null) => void) => {
          if (this.isOpen) other.emit('message', JSON.parse(JSON.stringify(message)));
          done(this.isOpen ? null : new Error('channel closed'));
        },
      });
    }
  }

  /** Messages of other programs and of no question. */
  sendForeign(): void {
    for (const message of ['stop', null, {}, { number: 99, answer: [] }, { number: 99, failure: 'late' }]) {
      this.inFirst.emit('message', message);
      this.inWorker.emit('message', message);
    }
  }
}

function end(): Worker {
  return new EventEmitter() as unknown as Worker;
}
