/** Dialogs that find a page of the site, or a picture or file, or put a new one. */
import { useEffect, useId, useState } from 'preact/hooks';
import { Dialog } from '../action.js';
import { type JsonObject, type RunError, type RunInput, run, toRunError } from '../api.js';
import { ErrorNotice, Field } from '../parts.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
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

interface MoreProps {
  readonly shown: number;
  readonly total: number;
  readonly more: () => void;
}

export function More({ shown, total, more }: MoreProps) {
  return (
    <p class="help" role="status">
      {texts.rows(shown, total)}{' '}
      {shown < total ? (
        <button type="button" class="small" onClick={more}>
          {texts.writing.more}
        </button>
      ) : null}
    </p>
  );
}

export interface FoundPage {
  readonly id: number;
  readonly pagetitle: string;
  readonly uri: string;
  readonly context_key: string;
}

const step = 20;

/** By title, or by address after a slash: a search in every field takes too long on large sites. */
export function matching(q: string): RunInput['options'] {
  if (q === '') return {};
  return { filter: [q.startsWith('/') ? `uri[like]=%${q.slice(1)}%` : `pagetitle[like]=%${q}%`] };
}

function PageSearch({ choose }: { readonly choose: (page: FoundPage) => void }) {
  const [words, setWords] = useState('');
  const [limit, setLimit] = useState(step);
  const q = useSettled(words.trim());
  const fields = 'id,pagetitle,uri,context_key';
  const { result, error } = useRun('resource list', { options: { limit, fields, ...matching(q) } });
  const found = (result?.data ?? []) as unknown as readonly FoundPage[];
  return (
    <>
      <SearchInput label={texts.writing.findPage} value={words} change={setWords} />
      {error === null ? null : <ErrorNotice error={error} />}
      <ul class="found">
        {found.map((page) => (
          <li>
            <button type="button" onClick={() => choose(page)}>
              <b>{page.pagetitle}</b> <span class="help">/{page.uri}</span>
            </button>
          </li>
        ))}
      </ul>
      {result === null ? null : (
        <More shown={found.length} total={result.meta?.total ?? 0} more={() => setLimit(limit + step)} />
      )}
    </>
  );
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

const mediaStep = 24;

export function MediaDialog({ type, close, choose }: MediaDialogProps) {
  const [words, setWords] = useState('');
  const [limit, setLimit] = useState(mediaStep);
  const q = useSettled(words.trim());
  const options = { limit, ...(type === null ? {} : { type }), ...(q === '' ? {} : { q }) };
  const { result, error } = useRun('media list', { options });
  const files = (result?.data ?? []) as unknown as readonly MediaFile[];
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
      {error === null ? null : <ErrorNotice error={error} />}
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
      {result === null ? null : (
        <More shown={files.length} total={result.meta?.total ?? 0} more={() => setLimit(limit + mediaStep)} />
      )}
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
