/** What a log-in needs of the request that asks for it. */
import { clientNetwork } from '../../http/interface/client-ip.js';
import type { Call } from '../../http/interface/endpoint.js';
import type { LogInRequest } from '../../identity/users/log-in.js';

export function logInRequest(call: Call): LogInRequest {
  return {
    network: clientNetwork(call.clientIp),
    signal: call.signal,
    allowMore: (ms) => call.allowMore(ms),
  };
}
