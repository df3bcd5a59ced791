/** Deliveries wait as long as no worker runs: the first thing to know when nothing arrives. */
import { Notice } from '../parts.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { Moment, recordOf } from '../values.js';

const everyMs = 10_000;
/** A worker takes what is due within seconds. */
const patienceSeconds = 60;

export function WorkerNotice() {
  const { result } = useRun('status', {}, everyMs);
  const { outbox, worker } = recordOf(result?.data);
  const { pending, oldest_age_s: oldest } = recordOf(outbox);
  const last = recordOf(worker)['last_pass_on'];
  if (!(Number(pending) > 0)) return null;
  if (typeof last === 'string' && Number(oldest) < patienceSeconds) return null;
  return (
    <Notice kind="bad">
      <p>
        <b>{texts.deliveries.noWorker(Number(pending))}</b>{' '}
        {typeof last === 'string' ? (
          <>
            {texts.deliveries.lastWorker} <Moment at={last} />.
          </>
        ) : (
          texts.deliveries.neverWorker
        )}
      </p>
      <p>
        {texts.deliveries.startWorker} <code>hcd worker</code>
      </p>
    </Notice>
  );
}
