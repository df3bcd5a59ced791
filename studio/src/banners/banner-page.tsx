/** One banner: its form, and what else can be done with it. */
import { CommandButton } from '../action.js';
import type { JsonObject, RunResult } from '../api.js';
import { Loaded } from '../data-table.js';
import { RecordForm, useDraft } from '../record-form.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { recordOf, textOf } from '../values.js';
import { bannerFlags, useBannerGroups } from './banner-form.js';
import { BannerState, Toggle } from './banner-list.js';
import { nameOf } from './banner-view.js';
import { useZone } from './zone-time.js';

export function BannerPage({ id }: { readonly id: string | null }) {
  const stored = useRun(id === null ? null : 'banner show', { arguments: [id ?? ''] });
  const zone = useZone();
  return (
    <article class="banner">
      <a href={linkTo('banners')}>← {texts.banners.list}</a>
      {zone === '' ? null : id === null ? (
        <>
          <h1>{texts.banners.add}</h1>
          <Editor id="" stored={{}} zone={zone} />
        </>
      ) : (
        <Loaded of={stored}>
          {({ data }) => {
            const banner = recordOf(data);
            return (
              <>
                <h1>{nameOf(banner)}</h1>
                <BannerState row={banner} />
                <Actions id={id} banner={banner} />
                <Editor id={id} stored={banner} zone={zone} />
              </>
            );
          }}
        </Loaded>
      )}
    </article>
  );
}

interface EditorProps {
  readonly id: string;
  readonly stored: JsonObject;
  readonly zone: string;
}

function Editor({ id, stored, zone }: EditorProps) {
  const draft = useDraft(`banner ${id}`);
  const groups = useBannerGroups({ stored, draft, zone });
  const isNew = id === '';
  return (
    <RecordForm
      path={isNew ? 'banner add' : 'banner update'}
      words={isNew ? [] : [id]}
      {...{ groups, draft, flags: bannerFlags, ...(isNew && { saved: openBanner }) }}
    />
  );
}

function openBanner({ data }: RunResult): void {
  location.hash = linkTo('banners', 'banner', textOf(recordOf(data)['id']));
}

function Actions({ id, banner }: { readonly id: string; readonly banner: JsonObject }) {
  const of = { arguments: [id] };
  return (
    <div class="actions">
      <Toggle row={banner} />
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
      <a href={linkTo('banners', 'statistics', id)}>{texts.banners.statistics}</a>
    </div>
  );
}
