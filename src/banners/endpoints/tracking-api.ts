/** Clicks and pixels (docs/banners-tracking.md). They work while the banner API is off, for pages that show banners. */
import type { Settings } from '../../config/settings.js';
import { AppError } from '../../errors/app-error.js';
import { type ApiModule, type ApiPolicy, mountAt, type RenderError } from '../../http/interface/api.js';
import type { Call, Endpoint, ParameterDoc, Reply } from '../../http/interface/endpoint.js';
import { publicAddress, setCookie } from '../../http/interface/request-headers.js';
import { checkRoute } from '../../http/stages/checks.js';
import { after } from '../../values/after.js';
import { daySeconds } from '../../values/dates.js';
import { derived } from '../../values/kept-values.js';
import { isAhead, isPartOfPage } from '../rules/visitor.js';
import type { Click, Tracker, Visit } from '../tracking/tracker.js';

interface TrackingApiDeps {
  readonly tracker: Pick<Tracker, 'click' | 'impression'>;
  readonly settings: () => Pick<
    Settings,
    'banners_click' | 'banners_impression' | 'banners_attribution_ttl' | 'banners_public_url'
  >;
  /** Form of errors where no API is mounted: an unknown link is answered like every other unknown address. */
  readonly unmounted: RenderError;
}

export function trackingApis(deps: TrackingApiDeps): readonly ApiModule[] {
  const shared = {
    checks: [checkRoute()],
    parameterProblem: 'bad_request',
    renderError: deps.unmounted,
  } as const;
  const policyOf = (segment: 'banners_click' | 'banners_impression') =>
    derived(deps.settings, (values) => trackingPolicy(values[segment]));
  return [
    { ...shared, name: 'banner clicks', endpoints: [clickEndpoint(deps)], policy: policyOf('banners_click') },
    { ...shared, name: 'banner impressions', endpoints: [pixelEndpoint(deps)], policy: policyOf('banners_impression') },
  ];
}

function trackingPolicy(segment: string): ApiPolicy {
  return {
    enabled: true,
    mounts: [mountAt(`/${segment}`)],
    answersOptions: false,
    caching: { kind: 'private' },
    cors: null,
  };
}

/** Names the visitor's last click, for an order that follows from it. */
const clickCookie = 'banners_click_id';

const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const adposition: ParameterDoc = {
  name: 'adposition',
  in: 'path',
  description: 'Id of the link between banner and position.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};

const row = {
  method: 'GET',
  path: '/:adposition',
  access: { kind: 'public' },
  tags: ['Tracking'],
  produces: [],
} as const;

function clickEndpoint({ tracker, settings }: TrackingApiDeps): Endpoint {
  return {
    ...row,
    name: 'click',
    summary: 'Redirect to the address of a banner and record the click',
    // Every parameter may fill a placeholder of the address.
    parameters: [adposition, { name: '*', in: 'query', description: 'Values for placeholders.', schema: {} }],
    response: { status: 302, description: 'The address of the banner.' },
    handler(call) {
      const visit = visitOf(call, settings().banners_public_url);
      const click = tracker.click(isPartOfPage((name) => call.header(name)) ? { ...visit, isLook: true } : visit);
      return after(click, (found) => redirect(call, found, settings().banners_attribution_ttl));
    },
  };
}

function redirect(call: Call, click: Click | null, days: number): Reply {
  if (click === null) throw new AppError('not_found');
  const { location, reference } = click;
  const cookie = { name: clickCookie, secure: call.isSecure, maxAge: days * daySeconds };
  return {
    status: 302,
    headers: {
      Location: location,
      ...(reference === null ? {} : { 'Set-Cookie': setCookie({ ...cookie, value: reference }) }),
    },
    body: { kind: 'empty' },
    caching: { kind: 'never' },
  };
}

function pixelEndpoint({ tracker, settings }: TrackingApiDeps): Endpoint {
  return {
    ...row,
    name: 'impression',
    summary: 'Record that a banner was seen',
    parameters: [adposition],
    response: { status: 200, description: 'A transparent pixel.', type: 'image/gif' },
    handler(call) {
      const isThere = tracker.impression(visitOf(call, settings().banners_public_url));
      return after(isThere, pixelReply);
    },
  };
}

const pixelAnswer: Reply = Object.freeze<Reply>({
  status: 200,
  // Cross-origin isolated pages show images of other origins only with this header.
  headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
  body: { kind: 'bytes', type: 'image/gif', bytes: pixel },
  caching: { kind: 'never' },
});

function pixelReply(isThere: boolean): Reply {
  if (!isThere) throw new AppError('not_found');
  return pixelAnswer;
}

function visitOf(call: Call, configured: string): Visit {
  const text = call.params['adposition'] ?? '';
  const id = Number(text);
  // The same link has no second address.
  if (String(id) !== text) throw new AppError('not_found');
  return {
    adposition: id,
    ip: call.clientIp,
    userAgent: call.header('user-agent'),
    referrer: call.header('referer'),
    // The tracker prefers the address of the context of the position.
    address: publicAddress(call, { configured, site: () => null }),
    // The last of several values counts.
    values: (name) => call.query.findLast(([known]) => known === name)?.[1],
    isLook: call.method === 'HEAD' || isAhead((name) => call.header(name)),
  };
}
