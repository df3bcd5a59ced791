/**
 * Receivers' URLs at both places where they are checked: when a subscription is added, by text, and at every attempt,
 * with names looked up. What resolves and what connects are the test's own, so that nothing leaves the machine.
 */
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { effectiveSettings } from '../../src/config/settings.js';
import {
  makeOutboundPolicy,
  type OutboundPolicyParts,
  outboundPolicyOf,
} from '../../src/webhooks/addresses/outbound-policy.js';
import { checkReceiverUrl } from '../../src/webhooks/addresses/receiver-url.js';
import type { ExchangeQuestion } from '../../src/webhooks/client/exchange.js';
import { openOutbound } from '../../src/webhooks/client/outbound.js';
import { harmlessUrls, hostileAnswers, hostileTexts } from './receiver-urls.js';

const closed = makeOutboundPolicy({});

interface Trial {
  readonly url: string;
  readonly answers?: readonly string[];
  readonly policy?: OutboundPolicyParts;
}

/** Sends once with a resolver that knows the answers and a connector that only writes down what it is asked. */
async function attempt({ url, answers, policy = {} }: Trial) {
  const lookups: string[] = [];
  const connections: ExchangeQuestion[] = [];
  const outbound = openOutbound({
    clock: systemClock,
    resolve: async (hostname) => {
      lookups.push(hostname);
      return answers ?? [];
    },
    exchanger: {
      exchange: async (question) => {
        connections.push(question);
        return { kind: 'answered', status: 204, retryAfter: null, bodyStart: '' };
      },
      close: () => undefined,
    },
  });
  const outcome = await outbound.send({ url, headers: {}, body: '{}', policy: makeOutboundPolicy(policy) });
  return { outcome, lookups, connections };
}

const refused = { kind: 'refused', reason: 'not allowed by policy' };
const accepted = { kind: 'answered', status: 204, retryAfter: null, bodyStart: '' };

test('the tables are as long as they should be', () => {
  expect(hostileTexts.length + hostileAnswers.length).toBeGreaterThanOrEqual(100);
  expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
  expect(harmlessUrls.length).toBeGreaterThanOrEqual(20);
});

test.each(hostileTexts)(
  '%j is refused by its text, when added and when sent, and nothing is looked up',
  async (url) => {
    expect(checkReceiverUrl(url, closed)).toEqual({ ok: false, problem: expect.stringMatching(/^must (not )?[a-z]/) });
    expect(await attempt({ url, answers: ['93.184.216.34'] })).toEqual({
      outcome: refused,
      lookups: [],
      connections: [],
    });
  },
);

test.each(hostileAnswers)(
  '$url is refused by its answers $answers, and nothing is connected',
  async ({ url, answers = [] }) => {
    expect(checkReceiverUrl(url, closed).ok).toBe(true);
    const { outcome, lookups, connections } = await attempt({ url, answers });
    expect(outcome).toEqual(refused);
    expect(lookups).toEqual([new URL(url).hostname]);
    expect(connections).toEqual([]);
  },
);

test.each(harmlessUrls)('$url is connected to at $address alone', async (row) => {
  const { url, answers, address, port, servername, host, target } = row;
  expect(checkReceiverUrl(url, closed)).toMatchObject({ ok: true, value: { port, target, authority: host } });
  const { outcome, lookups, connections } = await attempt({ url, ...(answers === undefined ? {} : { answers }) });
  expect(outcome).toEqual(accepted);
  expect(lookups).toEqual(answers === undefined ? [] : [servername]);
  expect(
    connections.map((one) => [one.address, one.port, one.servername, one.target, one.headers.Host, one.secure]),
  ).toEqual([[address, port, servername, target, host, url.startsWith('https:')]]);
});

describe('what the operator sets', () => {
  test('comes from the settings', () => {
    const given = {
      httpsOnly: true,
      allowPrivate: true,
      allowed: ['10.0.0.0/8', '::1'],
      denied: ['8.8.8.8'],
      nat64: true,
      ownListeners: [{ address: '127.0.0.1', port: 8080 }],
    };
    const { values } = effectiveSettings([], {
      HCD_GATEWAY_WEBHOOK_HTTPS_ONLY: '1',
      HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1',
      HCD_GATEWAY_WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8,::1',
      HCD_GATEWAY_WEBHOOK_DENIED_NETWORKS: '8.8.8.8',
      HCD_GATEWAY_WEBHOOK_NAT64: '1',
    });
    expect(outboundPolicyOf(values, { ownListeners: given.ownListeners })).toEqual(makeOutboundPolicy(given));
    expect(outboundPolicyOf(effectiveSettings([], {}).values)).toEqual(makeOutboundPolicy({}));
  });

  test.each<[url: string, accepted: boolean]>([
    ['https://www.example.com/cms/api/v1/resources', false],
    ['http://WWW.example.com./cms/api/v1', false],
    ['https://www.example.com//cms/%61pi/v1/resources?x=1', false],
    ['https://www.example.com/cms/api.php?route=/resources', false],
    ['https://b.example.com:8443/pages/api/v1.php', false],
    ['https://b.example.com:8443/pages/api.php', false],
    ['https://c.example.com/banners/api.php/ads', false],
    ['https://c.example.com/slots/1', false],
    ['https://www.example.com/cms/api/v10', true],
    ['https://www.example.com/api/revalidate', true],
    ['https://www.example.com:8443/cms/api/v1', true],
    ['https://b.example.com/pages/api.php', true],
    ['https://site.example.com/api/v1', true],
  ])('a public address of an interface is no receiver: %s is accepted: %s', (url, accepted) => {
    const { values } = effectiveSettings([{ key: 'site_url', value: 'https://site.example.com/' }], {
      HCD_GATEWAY_PUBLIC_URL: 'https://www.example.com/cms/',
      HCD_PAGES_PUBLIC_URL: 'https://b.example.com:8443',
      HCD_BANNERS_PUBLIC_URL: 'http://c.example.com',
    });
    expect(checkReceiverUrl(url, outboundPolicyOf(values)).ok).toBe(accepted);
  });

  test.each<[name: string, url: string, policy: OutboundPolicyParts, problem: string | null]>([
    ['https only refuses http', 'http://example.com/', { httpsOnly: true }, 'must begin with https://'],
    ['https only takes https', 'https://example.com/', { httpsOnly: true }, null],
    ['private addresses open', 'http://127.0.0.1:9000/', { allowPrivate: true }, null],
    ['with them local names', 'http://localhost:9000/', { allowPrivate: true }, null],
    ['single-label names', 'http://receiver:9000/', { allowPrivate: true }, null],
    ['and every port', 'http://10.0.0.5:81/', { allowPrivate: true }, null],
    ['but not port 0', 'http://10.0.0.5:0/', { allowPrivate: true }, 'must have a port from 1 to 65535'],
    [
      'nor metadata',
      'http://169.254.169.254/',
      { allowPrivate: true },
      'must not be a private, local or special address',
    ],
    [
      'private keeps https only',
      'http://127.0.0.1/',
      { allowPrivate: true, httpsOnly: true },
      'must begin with https://',
    ],
    ['a named address opens', 'http://10.0.0.5/', { allowed: ['10.0.0.5'] }, null],
    ['with every port', 'http://10.0.0.5:81/', { allowed: ['10.0.0.0/8'] }, null],
    [
      'named networks let names through to the look-up',
      'http://billing.internal:81/',
      { allowed: ['10.0.0.0/8'] },
      null,
    ],
    [
      'and open no other address',
      'http://10.0.0.6/',
      { allowed: ['10.0.0.5'] },
      'must not be a private, local or special address',
    ],
    [
      'a denied address closes',
      'http://8.8.8.8/',
      { denied: ['8.8.8.0/24'] },
      'must not be a private, local or special address',
    ],
    [
      'the own listener, named or not',
      'http://127.0.0.1:8080/',
      { allowed: ['127.0.0.0/8'], ownListeners: [{ address: '127.0.0.1', port: 8080 }] },
      'must not be an address of this server itself',
    ],
    [
      'the own name',
      'https://CMS.example.com/x',
      { ownBases: ['https://cms.example.com'] },
      'must not be this server itself',
    ],
    [
      'the own name with a dot',
      'https://cms.example.com./x',
      { ownBases: ['https://cms.example.com'] },
      'must not be this server itself',
    ],
  ])('%s', (_name, url, policy, problem) => {
    const checked = checkReceiverUrl(url, makeOutboundPolicy(policy));
    expect(checked.ok ? null : checked.problem).toBe(problem);
  });

  test.each<[name: string, trial: Trial, sent: boolean]>([
    [
      'a local name whose address is named',
      { url: 'http://billing.internal/', answers: ['10.0.0.5'], policy: { allowed: ['10.0.0.0/8'] } },
      true,
    ],
    [
      'a local name whose address is not',
      { url: 'http://billing.internal/', answers: ['192.168.0.5'], policy: { allowed: ['10.0.0.0/8'] } },
      false,
    ],
    [
      'another port at a named address',
      { url: 'http://a.example.com:81/', answers: ['10.0.0.5'], policy: { allowed: ['10.0.0.0/8'] } },
      true,
    ],
    [
      'another port at a public one',
      { url: 'http://a.example.com:81/', answers: ['93.184.216.34'], policy: { allowed: ['10.0.0.0/8'] } },
      false,
    ],
    [
      'a private answer that the switch opens',
      { url: 'http://localhost/', answers: ['::1', '127.0.0.1'], policy: { allowPrivate: true } },
      true,
    ],
    [
      'a name that leads to the own listener',
      {
        url: 'http://a.example.com:8080/',
        answers: ['127.0.0.1'],
        policy: { allowPrivate: true, ownListeners: [{ address: '0.0.0.0', port: 8080 }] },
      },
      false,
    ],
    [
      'the same address at another port',
      {
        url: 'http://a.example.com:8081/',
        answers: ['127.0.0.1'],
        policy: { allowPrivate: true, ownListeners: [{ address: '0.0.0.0', port: 8080 }] },
      },
      true,
    ],
    ['NAT64 without its switch', { url: 'http://a.example.com/', answers: ['64:ff9b::808:808'] }, false],
    ['NAT64 with it', { url: 'http://a.example.com/', answers: ['64:ff9b::808:808'], policy: { nat64: true } }, true],
  ])('%s', async (_name, trial, sent) => {
    const { outcome, connections } = await attempt(trial);
    expect([outcome, connections.length]).toEqual(sent ? [accepted, 1] : [refused, 0]);
  });
});

test('a name without an address is a failure to try again, not a refusal', async () => {
  const { outcome, connections } = await attempt({ url: 'http://a.example.com/', answers: [] });
  expect([outcome, connections]).toEqual([{ kind: 'failed', reason: 'dns' }, []]);
});
