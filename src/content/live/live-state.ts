/** Settings and rights in memory, read again several times a second, so that any change applies within one second. */
import type { AccessSnapshot } from '../../access/acl.js';
import type { Clock, Timer } from '../../clock/clock.js';
import type { Environment } from '../../config/definitions.js';
import {
  effectiveSettings,
  isSettingKey,
  parseSetting,
  type SettingsSnapshot,
  settingDefinition,
  settingKeys,
} from '../../config/settings.js';
import { AppError } from '../../errors/app-error.js';
import { type Log, reportFailure } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import { outageOf } from '../../store/base/errors.js';
import { onCommit } from '../../store/base/transaction.js';
import { readContentGeneration } from '../../store/state/state.js';
import { parseUrl, trimEndOf } from '../../values/text.js';
import type { EventSource } from '../../webhooks/rules/events.js';
import { markMemberships, readAccessSnapshot } from '../models/access.js';
import { removeOldChanges } from '../models/changes.js';
import { type MediaSourceRow, mediaSources, readContextKeys, readTvSources } from '../models/elements.js';
import { readContextSettings, readSystemSettings, type SettingRow } from '../models/settings.js';
import { type ListedTv, readListedTvs } from '../models/template-variables.js';
import type { Caller } from '../query/authorize.js';
import { mediaFieldUrl } from '../rules/media-source.js';
import type { ContentSettings } from '../rules/settings.js';
import { layeredSetting } from '../rules/site-address.js';
import { ChangeFollower } from './content-change.js';

/** Milliseconds; two intervals and a reading stay within the promised second. */
const interval = 400;
const cleanInterval = 60_000;

/** A new object exactly when something in it changed. */
export interface LiveSnapshot {
  readonly settings: SettingsSnapshot;
  readonly system: ContentSettings;
  readonly byContext: ReadonlyMap<string, ContentSettings>;
  readonly contexts: ReadonlySet<string>;
  readonly access: AccessSnapshot;
  /** Changes when resources enter or leave groups; null if no group protects any. */
  readonly memberships: readonly unknown[] | null;
  readonly mediaSources: readonly MediaSourceRow[];
  readonly tvs: ReadonlyMap<string, ListedTv>;
  readonly tvSources: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

interface LiveStateDeps {
  readonly content: Database;
  readonly own: Database;
  readonly prefix: string;
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Log;
  readonly filesBase?: string | undefined;
}

export class LiveState {
  readonly #deps: LiveStateDeps;
  #snapshot: LiveSnapshot | null = null;
  #text = '';
  #timers: readonly Timer[] = [];
  #endListening: readonly (() => void)[] = [];
  #reachable = true;
  /** Of two readings at once, the one that started later counts. */
  #begun = 0;
  #shown = 0;
  #generation = 0;
  readonly #listeners: ((by: EventSource) => void)[] = [];
  readonly changes: ChangeFollower;
  #afterReading = async (): Promise<void> => {};

  constructor(deps: LiveStateDeps) {
    this.#deps = deps;
    this.changes = new ChangeFollower(deps.own.primary);
  }

  /** Until `stop`, the view shows changes of this process before their writer continues. */
  follow(): void {
    const { content, own } = this.#deps;
    this.#endListening = [...new Set([content, own])].map((one) => onCommit(one, 'live', () => this.refresh('hcd')));
  }

  /** Throws unavailable before the first successful `refresh`. */
  current(): LiveSnapshot {
    if (!this.#snapshot) throw new AppError('unavailable');
    return this.#snapshot;
  }

  onChange(listener: (by: EventSource) => void): void {
    this.#listeners.push(listener);
  }

  afterReading(work: () => Promise<void>): void {
    this.#afterReading = work;
  }

  /** `by`: who changed what it shows, if that is known. */
  async refresh(by?: EventSource): Promise<void> {
    this.#begun += 1;
    const reading = this.#begun;
    const follow = this.changes.begin();
    const [facts, generation] = await Promise.all([this.#read(), readContentGeneration(this.#deps.own.primary)]);
    const text = textOf(facts);
    const isSame = text === this.#text;
    const writer = by ?? (isSame ? 'cms' : await this.changes.writerSince(this.#generation, generation));
    // The view first: its listeners drop what it makes stale.
    if (reading >= this.#shown) {
      [this.#shown, this.#generation] = [reading, generation];
      if (text !== this.#text) this.#show(facts, text, writer);
    }
    await follow(generation);
  }

  #show(facts: LiveSnapshot, text: string, by: EventSource): void {
    const before = this.#snapshot;
    this.#text = text;
    this.#snapshot = facts;
    if (before) this.#report(before, facts);
    for (const listener of this.#listeners) listener(by);
  }

  /** A store that does not answer is reported once; the last view stays in use. */
  start(): void {
    if (this.#timers.length > 0) return;
    const { clock, log, own } = this.#deps;
    const reading = clock.every({
      intervalMs: interval,
      work: async () => {
        await this.refresh();
        await this.#afterReading();
        if (!this.#reachable) log({ kind: 'store_recovered' });
        this.#reachable = true;
      },
      onError: (error) => this.#failed(error),
    });
    const cleaning = clock.every({
      intervalMs: cleanInterval,
      work: async () => {
        while (this.#timers.length > 0 && (await removeOldChanges(own)));
      },
      onError: (error) => reportFailure(log, { during: 'removing old changes', error }),
    });
    this.#timers = [reading, cleaning];
  }

  stop(): void {
    for (const timer of this.#timers) timer.stop();
    for (const end of this.#endListening) end();
    [this.#timers, this.#endListening] = [[], []];
  }

  async #read(): Promise<LiveSnapshot> {
    const { content, prefix, env, filesBase } = this.#deps;
    const [rows, contextRows, contexts, access, sources, tvs, tvSources] = await Promise.all([
      readSystemSettings(content.primary, prefix),
      readContextSettings(content.primary, prefix),
      readContextKeys(content.primary, prefix),
      readAccessSnapshot(content.primary, prefix),
      mediaSources.on(content.primary, prefix).lookUpAll({}, { order: ['id'] }),
      readListedTvs(content.primary, prefix),
      readTvSources(content.primary, prefix),
    ]);
    const memberships = access.resourceGroupRules.length === 0 ? null : await markMemberships(content.primary, prefix);
    const system = rows.filter((row) => !isReadElsewhere(row));
    const byContext = new Map<string, Map<string, string | null>>();
    for (const row of contextRows) {
      const settings = byContext.get(row.contextKey) ?? new Map<string, string | null>();
      byContext.set(row.contextKey, settings.set(row.key, row.value));
    }
    return Object.freeze({
      settings: effectiveSettings(system, env),
      system: new Map(system.map((row) => [row.key, row.value])),
      byContext,
      contexts: new Set(contexts),
      access,
      memberships,
      mediaSources: filesBase === undefined ? sources : sources.map((one) => ({ ...one, usualBase: filesBase })),
      tvs,
      tvSources,
    });
  }

  #report(before: LiveSnapshot, now: LiveSnapshot): void {
    const { values } = before.settings;
    const keys = settingKeys.filter((key) => JSON.stringify(now.settings.values[key]) !== JSON.stringify(values[key]));
    if (keys.length > 0) this.#deps.log({ kind: 'settings_changed', keys });
    const known = new Set(before.settings.problems.map((one) => one.problem));
    for (const { key, problem } of now.settings.problems) {
      if (!known.has(problem)) this.#deps.log({ kind: 'setting_refused', key, problem });
    }
  }

  #failed(error: unknown): void {
    // Logged once: this runs several times a second, and one reading may be under way when the database is closed.
    if (!this.#reachable || this.#timers.length === 0) return;
    this.#reachable = false;
    const isOutage = error instanceof AppError && error.kind === 'unavailable';
    this.#deps.log(isOutage ? outageOf(error) : { kind: 'unexpected_error', during: 'reading settings', error });
  }
}

function textOf(facts: LiveSnapshot): string {
  return JSON.stringify(facts, (_key, value: unknown) =>
    value instanceof Map ? [...value] : value instanceof Set ? [...value] : value,
  );
}

/** Settings that list records change with every use; only invalid ones are kept, so that they are reported. */
function isReadElsewhere({ key, value }: SettingRow): boolean {
  return isSettingKey(key) && settingDefinition(key).managedBy !== null && parseSetting(key, value).ok;
}

export function contextSetting(snapshot: LiveSnapshot, context: string, key: string): string | null {
  return layeredSetting(key, {
    context: (name) => snapshot.byContext.get(context)?.get(name),
    site: (name) => snapshot.system.get(name),
    ownOfSite: snapshot.settings.values,
  });
}

/** Without permissions of the CMS; it may use every context that its rights open. */
export function callerAs(snapshot: LiveSnapshot, who: Pick<Caller, 'identity' | 'principal'>): Caller {
  // Settings are text: empty and 0 are false.
  const isOn = (context: string, key: string) => !['', '0'].includes(contextSetting(snapshot, context, key) ?? '1');
  return {
    ...who,
    snapshot: snapshot.access,
    tvs: snapshot.tvs,
    sessions: { holds: () => false },
    defaultContext: snapshot.settings.values.gateway_context,
    allowedContexts: [...snapshot.contexts],
    contextExists: (context) => snapshot.contexts.has(context),
    resourceGroupsEnabled: (context) => isOn(context, 'access_resource_group_enabled'),
    categoriesEnabled: (context) => isOn(context, 'access_category_enabled'),
    extendedColumns: snapshot.settings.values.gateway_extended_columns,
  };
}

/** Finds media sources, 0 being the one of the site, and the addresses of their files. */
export function mediaOf(snapshot: LiveSnapshot) {
  const { values } = snapshot.settings;
  const settingOf = (key: string) => contextSetting(snapshot, values.gateway_context, key) ?? undefined;
  const [siteUrl, filesUrl] = [settingOf('site_url') ?? '', values.media_public_url];
  const usual = Number(settingOf('default_media_source') ?? 1);
  return {
    sourceOf: (id: number) => snapshot.mediaSources.find((one) => one.id === (id || usual)),
    urlOf: (value: string, source: MediaSourceRow | undefined) =>
      mediaFieldUrl({ value, source, siteUrl, filesUrl, settingOf }),
  };
}

/** Ends with a slash; null if the setting is not an absolute address. */
export function siteAddress(snapshot: LiveSnapshot, context: string): string | null {
  const text = contextSetting(snapshot, context, 'site_url')?.trim() ?? '';
  return /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/i.test(text) && parseUrl(text) !== null
    ? `${trimEndOf(text, '/')}/`
    : null;
}
