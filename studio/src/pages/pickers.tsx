/** Dialogs that find a page of the site, or a picture or file, or put a new one. */
import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type RunError, type RunInput, run, toRunError } from '../api.js';
import { Field, type InputProps, TextInput, useControl } from '../inputs.js';
import { MoreRows } from '../list-view.js';
import { DialogButton } from '../parts.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { rowsOf, textOf } from '../values.js';
import { usePictureAddress } from './editing.js';

/** A text that settles while one types. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** By title, or by address after a slash: a search in every field takes too long on large sites. */
export function matching(q: string): RunInput['options'] {
  if (q === '') return {};
  return { filter: [q.startsWith('/') ? `uri[like]=%${q.slice(1)}%` : `pagetitle[like]=%${q}%`] };
}

/** Pages of several contexts, whose titles and addresses may be the same. */
export function isMixed(pages: readonly { readonly context_key: string }[]): boolean {
  return new Set(pages.map((page) => page.context_key)).size > 1;
}

export function SearchInput({ label, value, change }: Pick<InputProps<string>, 'label' | 'value' | 'change'>) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

interface FinderProps<T> {
  readonly label: string;
  readonly path: string;
  readonly options: (q: string) => RunInput['options'];
  readonly kind: 'found' | 'tiles';
  readonly keyOf: (row: T) => string | number;
  readonly choose: (row: T, button: HTMLElement) => void;
  readonly children: (row: T, rows: readonly T[]) => ComponentChildren;
}

/** Rows of a command that have some words, as buttons. */
function Finder<T>({ label, path, options, kind, keyOf, choose, children }: FinderProps<T>) {
  const [words, setWords] = useState('');
  const q = useSettled(words.trim());
  return (
    <>
      <SearchInput label={label} value={words} change={setWords} />
      <MoreRows<T> path={path} options={options(q)} step={24}>
        {(rows) => (
          <ul class={kind}>
            {rows.map((row) => (
              <li key={keyOf(row)}>
                <button type="button" onClick={({ currentTarget }) => choose(row, currentTarget)}>
                  {children(row, rows)}
                </button>
              </li>
            ))}
          </ul>
        )}
      </MoreRows>
    </>
  );
}

interface FoundPage {
  readonly id: number;
  readonly pagetitle: string;
  readonly uri: string;
  readonly context_key: string;
}

function PageFinder({ choose }: { readonly choose: (page: FoundPage) => void }) {
  return (
    <Finder<FoundPage>
      {...{ label: texts.writing.findPage, path: 'resource list', kind: 'found', keyOf: ({ id }) => id, choose }}
      options={(q) => ({ fields: 'id,pagetitle,uri,context_key', ...matching(q) })}
    >
      {({ pagetitle, context_key: context, uri }, pages) => (
        <>
          <b>{pagetitle}</b>{' '}
          <span class="help">
            {isMixed(pages) ? `${context} · ` : ''}/{uri}
          </span>
        </>
      )}
    </Finder>
  );
}

interface PageButtonProps {
  readonly id?: string;
  readonly label?: string;
  readonly choose: (page: FoundPage) => void;
}

export function PageButton({ choose, label = texts.writing.choosePage, ...rest }: PageButtonProps) {
  return (
    <DialogButton {...rest} label={label} title={texts.writing.choosePage} kind="small">
      {(close) => (
        <PageFinder
          choose={(page) => {
            close();
            choose(page);
          }}
        />
      )}
    </DialogButton>
  );
}

/** A page by its title, kept by id. */
export function PageInput({ value, change, ...field }: InputProps<string>) {
  const { id } = useControl(field);
  const options = { filter: [`id=${value}`], fields: 'id,pagetitle' };
  const { result } = useRun(value === '' ? null : 'resource list', { options });
  const title = rowsOf(result?.data).find((row) => textOf(row['id']) === value)?.['pagetitle'];
  return (
    <Field id={id} {...field}>
      <div class="row">
        <PageButton
          {...{ id, ...(value !== '' && { label: textOf(title) || value }) }}
          choose={(page) => change(String(page.id))}
        />
        {value !== '' && (
          <button type="button" class="small" onClick={() => change('')}>
            {texts.remove}
          </button>
        )}
      </div>
    </Field>
  );
}

export function pageOfSite(field: InputProps<string>) {
  return <PageInput {...field} />;
}

/** Empty takes the link away. */
export function LinkButton({ choose }: { readonly choose: (address: string) => void }) {
  const [address, setAddress] = useState('');
  return (
    <DialogButton label={texts.writing.link} kind="small">
      {(close) => {
        const finish = (text: string): void => {
          close();
          choose(text);
        };
        return (
          <>
            <TextInput
              label={texts.writing.address}
              help={texts.writing.addressHelp}
              value={address}
              change={setAddress}
            />
            <div class="actions">
              <button
                type="button"
                class="primary"
                disabled={address.trim() === ''}
                onClick={() => finish(address.trim())}
              >
                {texts.writing.setLink}
              </button>
              <button type="button" onClick={() => finish('')}>
                {texts.writing.removeLink}
              </button>
            </div>
            <h3>{texts.writing.orPage}</h3>
            <PageFinder choose={({ uri }) => finish(`/${uri}`)} />
          </>
        );
      }}
    </DialogButton>
  );
}

export interface FoundMedia {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

interface MediaFile {
  readonly path: string;
  readonly url: string;
  readonly type: string;
}

interface MediaButtonProps {
  readonly type?: 'image' | null;
  readonly label?: string;
  readonly kind?: 'small';
  readonly choose: (media: FoundMedia) => void;
}

export function MediaButton({ type = 'image', choose, ...button }: MediaButtonProps) {
  const addressOf = usePictureAddress();
  const title = type === null ? texts.writing.chooseFile : texts.writing.choosePicture;
  return (
    <DialogButton label={title} {...button} title={title}>
      {(close) => {
        const take = ({ url }: MediaFile, picture: HTMLImageElement | null): void => {
          close();
          const isKnown = picture !== null && picture.naturalWidth > 0;
          choose({ url, ...(isKnown && { width: picture.naturalWidth, height: picture.naturalHeight }) });
        };
        return (
          <>
            <Upload
              type={type}
              put={(file) => void loaded(addressOf(file.url)).then((picture) => take(file, picture))}
            />
            <Finder<MediaFile>
              {...{ label: texts.writing.findFile, path: 'media list', kind: 'tiles', keyOf: (file) => file.path }}
              options={(q) => ({ ...(type && { type }), ...(q && { q }) })}
              choose={(file, button) => take(file, button.querySelector('img'))}
            >
              {({ path, url, type: kind }): ComponentChild => (
                <>
                  {kind.startsWith('image/') ? (
                    <img src={addressOf(url) ?? ''} alt="" loading="lazy" />
                  ) : (
                    <span class="kind">{kind.replace(/^.*\//, '')}</span>
                  )}
                  <span>{path}</span>
                </>
              )}
            </Finder>
          </>
        );
      }}
    </DialogButton>
  );
}

/** Null where it is no picture. */
async function loaded(address: string | null): Promise<HTMLImageElement | null> {
  const picture = new Image();
  picture.src = address ?? '';
  return picture.decode().then(
    () => picture,
    () => null,
  );
}

interface UploadProps extends Required<Pick<MediaButtonProps, 'type'>> {
  readonly put: (file: MediaFile) => void;
}

function Upload({ type, put }: UploadProps) {
  const [error, setError] = useState<RunError | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (file: File): Promise<void> => {
    setError(null);
    setSending(true);
    // Addresses are easier to read without spaces and signs.
    const name = file.name.normalize('NFC').replace(/[^\p{L}\p{N}._-]+/gu, '-');
    try {
      const { data } = await run('media put', { arguments: [name], input: file });
      put(data as unknown as MediaFile);
    } catch (thrown) {
      setError(toRunError(thrown));
    } finally {
      setSending(false);
    }
  };
  const help = isSending ? texts.running : undefined;
  const field = { label: texts.writing.upload, help, problems: error === null ? [] : [error.message] };
  const { id } = useControl(field);
  return (
    <Field id={id} {...field}>
      <input
        {...{ id, disabled: isSending }}
        type="file"
        accept={type === null ? undefined : 'image/*'}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void send(file);
          currentTarget.value = '';
        }}
      />
    </Field>
  );
}
