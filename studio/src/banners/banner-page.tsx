/** One banner: its form, and what else can be done with it. */
import { CommandButton } from '../action.js';
import type { RunResult } from '../api.js';
import { Loaded } from '../data-table.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { recordOf, textOf } from '../values.js';
import { BannerForm } from './banner-form.js';
import { BannerState, Toggle } from './banner-list.js';
import { nameOf } from './banner-view.js';
import { useZone } from './zone-time.js';

/** An empty id is that of a new one. */
export function BannerPage({ id }: { readonly id: string }) {
  const stored = useRun(id === '' ? null : 'banner show', { arguments: [id] });
  const zone = useZone();
  const of = { arguments: [id] };
  const form = { id, zone, ...(id === '' && { onDone: openBanner }) };
  return (
    <article class="banner">
      <a href={linkTo('banners')}>← {texts.banners.tabs.list}</a>
      {id === '' && zone !== '' && (
        <>
          <h1>{texts.banners.add}</h1>
          <BannerForm {...form} stored={{}} />
        </>
      )}
      {id !== '' && zone !== '' && (
        <Loaded of={stored}>
          {({ data }) => (
            <>
              <h1>{nameOf(recordOf(data))}</h1>
              <BannerState row={recordOf(data)} />
              <div class="actions">
                <Toggle row={recordOf(data)} />
                <CommandButton
                  path="banner duplicate"
                  given={{ ...of, options: { disabled: true } }}
                  label={texts.banners.duplicate}
                  onDone={openBanner}
                />
                <CommandButton
                  path="banner remove"
                  given={of}
                  label={texts.remove}
                  onDone={() => {
                    location.hash = linkTo('banners');
                  }}
                />
                <a href={linkTo('banners', 'statistics', id)}>{texts.banners.tabs.statistics}</a>
              </div>
              <BannerForm {...form} stored={recordOf(data)} />
            </>
          )}
        </Loaded>
      )}
    </article>
  );
}

function openBanner({ data }: RunResult): void {
  location.hash = linkTo('banners', 'banner', textOf(recordOf(data)['id']));
}
