/** Deliveries wait as long as no worker runs: the first thing to know when nothing arrives. */
import { isObject } from '../api.js';
import { Moment } from '../moment.js';
import { Notice } from '../parts.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';

const everyMs = 10_000;
/** A worker takes what is due within seconds. */
const patienceSeconds = 60;

export function WorkerNotice() {
  const { result } = useRun('status', {}, everyMs);
  if (!isObject(result?.data)) return null;
  const { outbox, worker } = result.data;
  if (!isObject(outbox) || Number(outbox['pending']) === 0) return null;
  const last = isObject(worker) ? worker['last_pass_on'] : null;
  if (typeof last === 'string' && Number(outbox['oldest_age_s']) < patienceSeconds) return null;
  return (
    <Notice kind="bad">
      <p>
        <b>{texts.deliveries.noWorker(Number(outbox['pending']))}</b>{' '}
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
