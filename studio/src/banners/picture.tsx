/** Pictures of the media folder, which commands give as files, and the choice of one. */
import { useEffect, useId, useState } from 'preact/hooks';
import { Dialog } from '../action.js';
import { run } from '../api.js';
import { Loaded } from '../data-table.js';
import { ErrorNotice, Field } from '../parts.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { usePerform, useRun } from '../use-run.js';
import { rowsOf, textOf, totalOf } from './banner-view.js';

/** Of an address that this site serves from its media folder; pictures of other hosts are not loaded. */
function mediaPath(address: string): string | null {
  const [, path] = /(?:^|^https?:\/\/[^/]+\/|\/)files\/([^?#]+)/.exec(address) ?? [];
  if (path === undefined) return null;
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Empty alternative text: the name stands beside it. */
export function Picture({ address }: { readonly address: string }) {
  const [shown, setShown] = useState<string | null>(null);
  const path = mediaPath(address);
  useEffect(() => {
    let made: string | null = null;
    let isGone = false;
    const show = (file: Blob | undefined): void => {
      if (file === undefined || isGone) return;
      made = URL.createObjectURL(file.slice(0, file.size, /\.svg$/i.test(path ?? '') ? 'image/svg+xml' : ''));
      setShown(made);
    };
    setShown(null);
    if (path !== null)
      run('media get', { arguments: [path] }).then(
        ({ file }) => show(file),
        () => show(undefined),
      );
    return () => {
      isGone = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [path]);
  return (
    <span class="picture">{shown === null ? null : <img src={shown} alt="" onError={() => setShown(null)} />}</span>
  );
}

interface PictureFieldProps {
  readonly value: string;
  /** Where the stored value can be seen. */
  readonly address: string;
  readonly problems: readonly string[];
  readonly change: (value: string) => void;
}

export function PictureField({ value, address, problems, change }: PictureFieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const pick = (url: string): void => {
    setOpen(false);
    change(url);
  };
  return (
    <Field id={id} label={texts.banners.picture} help={texts.banners.pictureHelp} problems={problems}>
      <div class="row">
        <Picture address={address} />
        <input id={id} type="text" value={value} onInput={({ currentTarget }) => change(currentTarget.value)} />
        <button type="button" onClick={() => setOpen(true)}>
          {texts.banners.choosePicture}
        </button>
      </div>
      {isOpen ? (
        <Dialog title={texts.banners.choosePicture} close={() => setOpen(false)}>
          <Upload onDone={pick} />
          <MediaPictures pick={pick} />
        </Dialog>
      ) : null}
    </Field>
  );
}

function Upload({ onDone }: { readonly onDone: (url: string) => void }) {
  const id = useId();
  const [overwrite, setOverwrite] = useState(false);
  const put = usePerform('media put', ({ data }) => onDone(textOf(rowsOf([data])[0]?.['url'])));
  if (useCommand('media put') === undefined) return null;
  return (
    <Field id={id} label={texts.banners.upload} problems={[]}>
      <input
        id={id}
        type="file"
        accept="image/*"
        disabled={put.isRunning}
        onChange={({ currentTarget: { files } }) => {
          const [file] = files ?? [];
          if (file === undefined) return;
          put.perform({ arguments: [`banners/${file.name}`], options: { overwrite }, input: file });
        }}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={overwrite}
          onChange={({ currentTarget }) => setOverwrite(currentTarget.checked)}
        />
        {texts.banners.replaceFile}
      </label>
      {put.error === null ? null : <ErrorNotice error={put.error} />}
    </Field>
  );
}

const onPage = 24;

function MediaPictures({ pick }: { readonly pick: (url: string) => void }) {
  const [offset, setOffset] = useState(0);
  const files = useRun('media list', { options: { limit: onPage, offset } });
  return (
    <Loaded of={files}>
      {(result) => (
        <>
          {totalOf(result) === 0 ? <p>{texts.banners.noFiles}</p> : null}
          <div class="pictures">
            {rowsOf(result.data)
              .filter(({ type }) => textOf(type).startsWith('image/'))
              .map(({ path, url }) => (
                <button type="button" key={textOf(path)} onClick={() => pick(textOf(url))}>
                  <Picture address={textOf(url)} />
                  {textOf(path)}
                </button>
              ))}
          </div>
          {totalOf(result) > onPage ? (
            <div class="actions">
              <button type="button" disabled={offset === 0} onClick={() => setOffset(offset - onPage)}>
                {texts.previousPage}
              </button>
              <button
                type="button"
                disabled={offset + onPage >= totalOf(result)}
                onClick={() => setOffset(offset + onPage)}
              >
                {texts.nextPage}
              </button>
            </div>
          ) : null}
        </>
      )}
    </Loaded>
  );
}
