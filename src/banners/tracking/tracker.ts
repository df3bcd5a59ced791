/** Handles clicks and pixels without waiting for the database, unless a setting asks for durable events. */
import type { Clock } from '../../clock/clock.js';
import type { Settings } from '../../config/settings.js';
import { contextSetting, type LiveSnapshot, siteAddress } from '../../content/live/live-state.js';
import { flagSetting } from '../../content/rules/settings.js';
import { sha256Hex } from '../../crypto/primitives.js';
import { after } from '../../values/after.js';
import type { EventKind } from '../models/events.js';
import { localDay } from '../rules/local-time.js';
import {
  fillTarget,
  isWhole,
  type PlaceholderValues,
  readTarget,
  type Target,
  writeClickReference,
} from '../rules/redirect-target.js';
import { isBot, truncateAddress, visitorOf } from '../rules/visitor.js';
import type { EventBuffer, TrackedEvent } from './event-buffer.js';
import type { LinkedPage, Placement, PlacementMemory, PlacementView } from './placement-memory.js';

interface TrackerDeps {
  readonly memory: Pick<PlacementMemory, 'current' | 'fresh'>;
  readonly buffer: Pick<EventBuffer, 'note' | 'noteDurably'>;
  readonly live: () => LiveSnapshot;
  readonly clock: Clock;
  readonly digests: TrackingDigests;
}

export interface Visit {
  readonly adposition: number;
  readonly ip: string;
  readonly userAgent: string | undefined;
  readonly referrer: string | undefined;
  readonly address: string;
  readonly values: PlaceholderValues;
  readonly isLook: boolean;
}

export interface Click {
  readonly location: string;
  readonly reference: string | null;
}

const longestReferrer = 255;

export class Tracker {
  readonly #deps: TrackerDeps;
  #targets = new Map<string, Target | null>();
  #targetsOf: { readonly view: PlacementView; readonly live: LiveSnapshot } | null = null;

  constructor(deps: TrackerDeps) {
    this.#deps = deps;
  }

  /** Null for a link that leads nowhere. A promise only if banners have just changed or events are durable. */
  click(visit: Visit): Click | null | Promise<Click | null> {
    return after(this.#deps.memory.fresh(), () => {
      const placement = this.#deps.memory.current().placements.get(visit.adposition);
      const target = placement === undefined ? null : this.#target(placement, visit.address);
      if (placement === undefined || target === null) return null;
      const rules = this.#settings;
      const utm = rules.banners_utm_enabled ? { rules, facts: this.#factsOf(placement) } : null;
      const location = fillTarget(target, visit.values, utm);
      const event = this.#eventOf('clicks', { placement, visit, target: location });
      if (event === null) return { location, reference: null };
      const click = { location, reference: writeClickReference(event, this.#deps.digests.click) };
      return after(this.#record(event), () => click);
    });
  }

  /** A promise in the same cases as for a click. */
  impression(visit: Visit): boolean | Promise<boolean> {
    return after(this.#deps.memory.fresh(), () => {
      const placement = this.#deps.memory.current().placements.get(visit.adposition);
      if (placement === undefined) return false;
      const isRecorded = this.#settings.banners_track_impressions;
      const event = isRecorded ? this.#eventOf('impressions', { placement, visit, target: '' }) : null;
      return event === null || after(this.#record(event), () => true);
    });
  }

  get #settings(): Settings {
    return this.#deps.live().settings.values;
  }

  #record(event: TrackedEvent): void | Promise<void> {
    const { buffer } = this.#deps;
    return this.#settings.banners_tracking_durable ? buffer.noteDurably(event) : buffer.note(event);
  }

  #eventOf(
    kind: EventKind,
    { placement, visit, target }: { readonly placement: Placement; readonly visit: Visit; readonly target: string },
  ): TrackedEvent | null {
    const { clock } = this.#deps;
    const { banners_filter_bots, banners_store_full_ip, banners_timezone } = this.#settings;
    if (visit.isLook || (banners_filter_bots && isBot(visit.userAgent))) return null;
    const at = clock.now();
    const day = localDay(at, banners_timezone);
    return {
      kind,
      adposition: placement.link.id,
      ad: placement.banner.id,
      position: placement.position.id,
      at,
      day,
      visitor: visitorOf({ ip: visit.ip, day, digest: this.#deps.digests.visitor }),
      ip: banners_store_full_ip ? visit.ip : truncateAddress(visit.ip),
      referrer: kind === 'clicks' ? referrerOf(visit.referrer) : '',
      target,
    };
  }

  #target({ link, banner, position }: Placement, address: string): Target | null {
    const live = this.#deps.live();
    const view = this.#deps.memory.current();
    if (this.#targetsOf?.view !== view || this.#targetsOf.live !== live || this.#targets.size > mostTargets) {
      this.#targets = new Map();
      this.#targetsOf = { view, live };
    }
    const context = position.context_key === '' ? this.#settings.gateway_context : position.context_key;
    const base = isWhole(banner.url) ? '' : (siteAddress(live, context) ?? `${address}/`);
    const key = `${link.id} ${base}`;
    const known = this.#targets.get(key);
    if (known !== undefined) return known;
    const target = readTarget({
      url: banner.url,
      base,
      resourceUrl(id) {
        const page = view.pages.get(id);
        return page === undefined ? null : resourceAddress(live, page);
      },
    });
    this.#targets.set(key, target);
    return target;
  }

  #factsOf({ link, banner, position }: Placement): ReadonlyMap<string, string | number> {
    return new Map<string, string | number>([
      ['ad_id', banner.id],
      ['position_id', position.id],
      ['adposition', link.id],
      ['product_id', banner.product_id],
      ['product_pagetitle', this.#deps.memory.current().pages.get(banner.product_id)?.pagetitle ?? ''],
      // An order comes after the click.
      ['order_id', 0],
    ]);
  }
}

/** A trusted proxy may name many hosts, each with its own base. */
const mostTargets = 10_000;

/** As it was sent, cut to its column, without characters that would break a line of a report. */
function referrerOf(referrer: string | undefined): string {
  return (referrer ?? '').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '').slice(0, longestReferrer);
}

/** Absolute if the site of the resource's context has an address, else a path from the root. */
function resourceAddress(snapshot: LiveSnapshot, page: LinkedPage): string {
  const { id, context_key: contextKey } = page;
  const uri = page.uri ?? '';
  const base = siteAddress(snapshot, contextKey) ?? '/';
  const settingOf = (name: string) => contextSetting(snapshot, contextKey, name);
  if (Number(settingOf('site_start')) === id) return base;
  const settings = new Map([['friendly_urls', settingOf('friendly_urls')]]);
  if (flagSetting(settings, 'friendly_urls', false) && uri !== '') return base + uri.replace(/^\/+/, '');
  return `${base}${settingOf('request_controller') ?? 'index.php'}?${settingOf('request_param_id') ?? 'id'}=${id}`;
}

export interface TrackingDigests {
  readonly visitor: (text: string) => string;
  readonly click: (text: string) => string;
}

/** An HMAC costs four times as much. The key on both sides stops extension of the text. */
export function trackingDigests(sign: (purpose: string, text: string) => string): TrackingDigests {
  const keyed = (purpose: string) => {
    const key = sign(purpose, 'key');
    return (text: string) => sha256Hex(`${key}|${text}|${key}`);
  };
  return { visitor: keyed('banner visitor'), click: keyed('banner click') };
}
