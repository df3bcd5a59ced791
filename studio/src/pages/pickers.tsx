/** Dialogs that find a page of the site, or a picture or file, or put a new one. */
import { useEffect, useId, useState } from 'preact/hooks';
import { Dialog } from '../action.js';
import { type JsonObject, type RunError, type RunInput, run, toRunError } from '../api.js';
import { Field } from '../parts.js';
import { texts } from '../texts.js';
import { usePictureAddress } from './editing.js';
import { MoreRows } from './more-rows.js';

/** A text that settles while one types. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export interface FoundPage {
  readonly id: number;
  readonly pagetitle: string;
  readonly uri: string;
  readonly context_key: string;
}

/** By title, or by address after a slash: a search in every field takes too long on large sites. */
export function matching(q: string): RunInput['options'] {
  if (q === '') return {};
  return { filter: [q.startsWith('/') ? `uri[like]=%${q.slice(1)}%` : `pagetitle[like]=%${q}%`] };
}

function PageSearch({ choose }: { readonly choose: (page: FoundPage) => void }) {
  const [words, setWords] = useState('');
  const q = useSettled(words.trim());
  return (
    <>
      <SearchInput label={texts.writing.findPage} value={words} change={setWords} />
      <MoreRows<FoundPage>
        path="resource list"
        options={{ fields: 'id,pagetitle,uri,context_key', ...matching(q) }}
        step={20}
      >
        {(found) => (
          <ul class="found">
            {found.map((page) => (
              <li>
                <button type="button" onClick={() => choose(page)}>
                  <b>{page.pagetitle}</b>{' '}
                  <span class="help">
                    {isMixed(found) ? `${page.context_key} · ` : ''}/{page.uri}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </MoreRows>
    </>
  );
}

/** Pages of several contexts, whose titles and addresses may be the same. */
export function isMixed(pages: readonly { readonly context_key: string }[]): boolean {
  return new Set(pages.map((page) => page.context_key)).size > 1;
}

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

export function SearchInput({ label, value, change }: SearchInputProps) {
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

interface PageDialogProps {
  readonly close: () => void;
  readonly choose: (page: FoundPage) => void;
}

export function PageDialog({ close, choose }: PageDialogProps) {
  return (
    <Dialog title={texts.writing.choosePage} close={close}>
      <PageSearch
        choose={(page) => {
          close();
          choose(page);
        }}
      />
    </Dialog>
  );
}

/** A button that opens it. */
export function PageButton({ choose }: Pick<PageDialogProps, 'choose'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="small" onClick={() => setOpen(true)}>
        {texts.writing.choosePage}
      </button>
      {isOpen ? <PageDialog close={() => setOpen(false)} choose={choose} /> : null}
    </>
  );
}

interface LinkDialogProps {
  readonly close: () => void;
  /** Empty takes the link away. */
  readonly choose: (address: string) => void;
}

export function LinkDialog({ close, choose }: LinkDialogProps) {
  const id = useId();
  const [address, setAddress] = useState('');
  const finish = (text: string): void => {
    close();
    choose(text);
  };
  return (
    <Dialog title={texts.writing.link} close={close}>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          finish(address.trim());
        }}
      >
        <Field id={id} label={texts.writing.address} help={texts.writing.addressHelp} problems={[]}>
          <input id={id} type="text" value={address} onInput={({ currentTarget }) => setAddress(currentTarget.value)} />
        </Field>
        <div class="actions">
          <button type="submit" class="primary" disabled={address.trim() === ''}>
            {texts.writing.setLink}
          </button>
          <button type="button" onClick={() => finish('')}>
            {texts.writing.removeLink}
          </button>
        </div>
      </form>
      <h3>{texts.writing.orPage}</h3>
      <PageSearch choose={({ uri }) => finish(`/${uri}`)} />
    </Dialog>
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
  readonly size: number;
}

interface MediaDialogProps {
  readonly type: 'image' | null;
  readonly close: () => void;
  readonly choose: (media: FoundMedia) => void;
}

export function MediaDialog({ type, close, choose }: MediaDialogProps) {
  const [words, setWords] = useState('');
  const q = useSettled(words.trim());
  const options = { ...(type === null ? {} : { type }), ...(q === '' ? {} : { q }) };
  const addressOf = usePictureAddress();
  const take = (file: Pick<MediaFile, 'url'>, picture: HTMLImageElement | null): void => {
    close();
    const isKnown = picture !== null && picture.naturalWidth > 0;
    choose({ url: file.url, ...(isKnown ? { width: picture.naturalWidth, height: picture.naturalHeight } : {}) });
  };
  return (
    <Dialog title={type === null ? texts.writing.chooseFile : texts.writing.choosePicture} close={close}>
      <Upload type={type} put={(file) => void measured(addressOf(file.url)).then((picture) => take(file, picture))} />
      <SearchInput label={texts.writing.findFile} value={words} change={setWords} />
      <MoreRows<MediaFile> path="media list" options={options} step={24}>
        {(files) => (
          <ul class="tiles">
            {files.map((file) => (
              <li key={file.path}>
                <button
                  type="button"
                  onClick={({ currentTarget }) => take(file, currentTarget.querySelector('img'))}
                  title={file.path}
                >
                  {file.type.startsWith('image/') ? (
                    <img src={addressOf(file.url) ?? ''} alt="" loading="lazy" />
                  ) : (
                    <span class="kind">{file.type.replace(/^.*\//, '')}</span>
                  )}
                  <span>{file.path}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </MoreRows>
    </Dialog>
  );
}

function measured(address: string | null): Promise<HTMLImageElement | null> {
  if (address === null) return Promise.resolve(null);
  const picture = new Image();
  picture.src = address;
  return picture.decode().then(
    () => picture,
    () => null,
  );
}

interface UploadProps {
  readonly type: 'image' | null;
  readonly put: (file: MediaFile) => void;
}

function Upload({ type, put }: UploadProps) {
  const id = useId();
  const [error, setError] = useState<RunError | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (file: File): Promise<void> => {
    setError(null);
    setSending(true);
    try {
      const { data } = await run('media put', { arguments: [fileName(file.name)], input: file });
      put(data as JsonObject as unknown as MediaFile);
    } catch (thrown) {
      setError(toRunError(thrown));
    } finally {
      setSending(false);
    }
  };
  const problems = error === null ? [] : [error.message];
  return (
    <Field id={id} label={texts.writing.upload} help={isSending ? texts.running : undefined} problems={problems}>
      <input
        id={id}
        type="file"
        accept={type === null ? undefined : 'image/*'}
        disabled={isSending}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void send(file);
          currentTarget.value = '';
        }}
      />
    </Field>
  );
}

/** Addresses are easier to read without spaces and signs. */
function fileName(name: string): string {
  return name.normalize('NFC').replace(/[^\p{L}\p{N}._-]+/gu, '-');
}
