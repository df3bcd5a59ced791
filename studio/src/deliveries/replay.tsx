/** Sends again what failed or was cancelled since a time. */
import { useState } from 'preact/hooks';
import { CommandDialog } from '../action.js';
import { Notice } from '../parts.js';
import { texts } from '../texts.js';
import { recordOf } from '../values.js';
import { type Receiver, receiverName } from './receiver.js';

interface ReplayProps {
  readonly receivers: readonly Receiver[];
  /** Only to this one. */
  readonly only?: string;
}

export function Replay({ receivers, only }: ReplayProps) {
  const [queued, setQueued] = useState<number | null>(null);
  const words = texts.deliveries;
  const names = new Map(receivers.map((one) => [String(one['id']), receiverName(one)]));
  const since = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  return (
    <>
      <CommandDialog
        path="delivery replay"
        label={words.replay}
        initial={{ since, ...(only !== undefined && { webhook: only }) }}
        hidden={only === undefined ? [] : ['webhook']}
        known={{
          webhook: {
            ...{ title: words.receiver, kind: 'choice', isOpen: false },
            ...{ choices: [...names.keys()], choiceNames: names },
          },
        }}
        submit={words.sendAgain}
        onDone={({ data }) => setQueued(Number(recordOf(data)['queued'] ?? 0))}
      />
      {queued === null ? null : <Notice kind="good">{words.queued(queued)}</Notice>}
    </>
  );
}
