/**
 * The gateway's rate limit (docs/limits-and-cors.md#how-often-a-caller-may-ask-the-gateway): who is counted, by which
 * rule, and what is not counted. Unknown routes, OPTIONS and a gateway that is switched off never come here.
 */
import type { Settings } from '../../config/setting-definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { Limit, LimitQuestion } from '../../http/interface/api.js';
import { clientBlock } from '../../http/interface/client-ip.js';
import type { Count, RateCounter } from '../../identity/limits/counter.js';
import {
  callerBucket,
  judge,
  type RateRule,
  type RateVerdict,
  ruleFor,
  unlimited,
} from '../../identity/limits/rate-limit.js';

type RateSettings = Pick<
  Settings,
  'gateway_rate_limit_enabled' | 'gateway_rate_limit_max_requests' | 'gateway_rate_limit_window_seconds'
>;

/** Monitors ask for health often, and must get the real state. */
const uncounted: ReadonlySet<string> = new Set(['health']);

/** The limit check of the gateway. */
export function gatewayLimit(settings: () => RateSettings, counter: RateCounter): Limit {
  return (question) => {
    const values = settings();
    const { identity, endpoint, caller } = question;
    if (!values.gateway_rate_limit_enabled || uncounted.has(endpoint?.name ?? '')) return null;
    const general = {
      max: values.gateway_rate_limit_max_requests,
      windowSeconds: values.gateway_rate_limit_window_seconds,
    };
    const rule = ruleFor(general, identity);
    if (rule.max === 0) return unlimited;
    const count = counter.count({
      bucket: callerBucket('gateway', identity, clientBlock(caller.clientIp)),
      windowMs: rule.windowSeconds * 1000,
      whenLost: isPublicRead(question) ? 'alone' : 'refuse',
    });
    const verdict = (found: Count) => advise(rule, judge(rule, found));
    return count instanceof Promise ? count.then(verdict) : verdict(count);
  };
}

/** Who meets the limit most is a job that reads a whole site, so the refusal says what such a job does. */
function advise({ max, windowSeconds }: RateRule, verdict: RateVerdict): RateVerdict {
  if (verdict.error === undefined) return verdict;
  const { details } = verdict.error;
  const message = `The limit of ${max} requests in ${windowSeconds} seconds is reached; wait ${details.retryAfter} seconds. A job that reads a whole site asks for pages of 100 with cursor and include, and uses a key made with hcd key create --for build`;
  return { ...verdict, error: new AppError('rate_limited', { message, details }) };
}

/** Reads without a credential: what they cost is bounded even when each process counts for itself. */
function isPublicRead({ identity, refused, caller }: LimitQuestion): boolean {
  return identity.kind === 'anonymous' && !refused && (caller.method === 'GET' || caller.method === 'HEAD');
}
