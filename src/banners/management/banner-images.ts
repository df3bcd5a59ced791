/** Finds the address at which the image of a banner can be seen (docs/banners.md#banners). */

import type { Environment } from '../../config/definitions.js';
import type { Settings } from '../../config/setting-definitions.js';
import { effectiveSettings } from '../../config/settings.js';
import { contextSetting, type LiveSnapshot } from '../../content/live/live-state.js';
import { type MediaSourceRow, mediaSources } from '../../content/models/elements.js';
import { readContextSettings, readSystemSettings, type SettingRow } from '../../content/models/settings.js';
import { mediaFieldUrl } from '../../content/rules/media-source.js';
import { layeredSetting } from '../../content/rules/site-address.js';
import type { Store } from '../../store/open/open.js';
import type { Banner } from '../rules/banner.js';

export type ImageAddress = (banner: Pick<Banner, 'image' | 'source'>) => string;

interface ImageFacts {
  readonly mediaSources: readonly MediaSourceRow[];
  readonly settings: Pick<Settings, 'banners_media_source' | 'media_public_url'>;
  readonly settingOf: (key: string) => string | undefined;
}

export function liveImages(snapshot: LiveSnapshot): ImageAddress {
  const { values } = snapshot.settings;
  return imageAddress({
    mediaSources: snapshot.mediaSources,
    settings: values,
    settingOf: (key) => contextSetting(snapshot, values.gateway_context, key) ?? undefined,
  });
}

export async function readImages({ content, prefix }: Store, env: Environment): Promise<ImageAddress> {
  const [rows, sources] = await Promise.all([
    readSystemSettings(content.primary, prefix),
    mediaSources.on(content.primary, prefix).lookUpAll({}),
  ]);
  const { values } = effectiveSettings(rows, env);
  const ofContext = await readContextSettings(content.primary, prefix, { context: values.gateway_context });
  const settingIn = (known: readonly SettingRow[]) => (name: string) => known.find(({ key }) => key === name)?.value;
  const layers = { context: settingIn(ofContext), site: settingIn(rows), ownOfSite: values };
  return imageAddress({
    mediaSources: sources,
    settings: values,
    settingOf: (key) => layeredSetting(key, layers) ?? undefined,
  });
}

function imageAddress({ mediaSources: known, settings, settingOf }: ImageFacts): ImageAddress {
  const siteUrl = settingOf('site_url') ?? '';
  const filesUrl = settings.media_public_url;
  const ofSite = settings.banners_media_source || Number(settingOf('default_media_source') ?? 1);
  return ({ image, source: own }) => {
    const id = own === 0 ? ofSite : own;
    const source = known.find((one) => one.id === id);
    return source === undefined ? image : mediaFieldUrl({ value: image, source, siteUrl, filesUrl, settingOf });
  };
}
