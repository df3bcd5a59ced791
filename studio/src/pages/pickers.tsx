/** Dialogs that find a page of the site, or a picture or file, or put a new one. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RunInput } from '../api.js';
import { Field, type InputProps, RemoveButton, TextInput, useControl } from '../inputs.js';
import { MoreRows } from '../list-view.js';
import { Button, DialogButton } from '../parts.js';
import { texts } from '../texts.js';
import { usePerform, useRun } from '../use-run.js';
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

interface FinderProps<T> {
  readonly label: string;
  readonly path: string;
  readonly options: (q: string) => RunInput['options'];
  readonly kind: 'found' | 'tiles';
  readonly keyOf: (row: T) => string | number;
  readonly choose: (row: T) => void;
  readonly children: (row: T, rows: readonly T[]) => ComponentChildren;
}

/** Rows of a command that have some words, as buttons. */
function Finder<T>({ label, path, options, kind, keyOf, choose, children }: FinderProps<T>) {
  const [words, setWords] = useState('');
  const q = useSettled(words.trim());
  return (
    <>
      <TextInput type="search" label={label} value={words} change={setWords} />
      <MoreRows<T> path={path} options={options(q)} step={24}>
        {(rows) => (
          <ul class={kind}>
            {rows.map((row) => (
              <li key={keyOf(row)}>
                <Button label={children(row, rows)} act={() => choose(row)} />
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
        {value !== '' && <RemoveButton label={field.label} remove={() => change('')} />}
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
              <Button
                {...{ label: texts.writing.setLink, kind: 'primary', disabled: address.trim() === '' }}
                act={() => finish(address.trim())}
              />
              <Button label={texts.writing.removeLink} act={() => finish('')} />
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

/** Of the media folder; pictures of other hosts are not loaded. */
export function Picture({ address }: { readonly address: string }) {
  const shown = usePictureAddress()(address);
  return <span class="picture">{shown && <img src={shown} alt="" loading="lazy" />}</span>;
}

interface MediaInputProps extends Omit<InputProps<string>, 'change'>, Pick<MediaButtonProps, 'type'> {
  readonly address?: string;
  /** Called with the new address, empty when it is removed. The size is only known of a chosen picture. */
  readonly change: (media: FoundMedia) => void;
}

/** The address of a picture or file, typed or chosen. */
export function MediaInput({ value, change, type, address = value, ...field }: MediaInputProps) {
  return (
    <TextInput {...{ ...field, value }} change={(url) => change({ url })} placeholder={texts.writing.address}>
      <Picture address={address} />
      <MediaButton {...{ type }} choose={change} />
      {value !== '' && <RemoveButton label={field.label} remove={() => change({ url: '' })} />}
    </TextInput>
  );
}

interface MediaFile {
  readonly path: string;
  readonly url: string;
  readonly type: string;
}

interface MediaButtonProps {
  readonly type?: 'image' | null | undefined;
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
        const take = async ({ url }: MediaFile): Promise<void> => {
          const size = await sizeOf(addressOf(url));
          close();
          choose({ url, ...size });
        };
        return (
          <>
            <Upload type={type} put={(file) => void take(file)} />
            <Finder<MediaFile>
              {...{ label: texts.writing.findFile, path: 'media list', kind: 'tiles', keyOf: (file) => file.path }}
              options={(q) => ({ ...(type && { type }), ...(q && { q }) })}
              choose={(file) => void take(file)}
            >
              {({ path, url, type: kind }) => (
                <>
                  {kind.startsWith('image/') ? (
                    <Picture address={url} />
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

/** Width and height of a picture; empty for other files. */
async function sizeOf(address: string | null): Promise<Omit<FoundMedia, 'url'>> {
  const picture = new Image();
  picture.src = address ?? '';
  await picture.decode().catch(() => undefined);
  const { naturalWidth: width, naturalHeight: height } = picture;
  return width > 0 ? { width, height } : {};
}

function Upload({ type, put }: Pick<MediaButtonProps, 'type'> & { readonly put: (file: MediaFile) => void }) {
  const { error, isRunning, perform } = usePerform('media put', ({ data }) => put(data as unknown as MediaFile));
  const help = isRunning ? texts.running : undefined;
  const field = { label: texts.writing.upload, help, problems: error === null ? [] : [error.message] };
  const { id } = useControl(field);
  return (
    <Field id={id} {...field}>
      <input
        {...{ id, disabled: isRunning }}
        type="file"
        accept={type === null ? undefined : 'image/*'}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // Addresses are easier to read without spaces and signs.
          const name = file?.name.normalize('NFC').replace(/[^\p{L}\p{N}._-]+/gu, '-');
          if (file !== undefined) perform({ arguments: [String(name)], options: { events: true }, input: file });
          currentTarget.value = '';
        }}
      />
    </Field>
  );
}
