/** Dialogs that find a page of the site, or a picture or file, or put a new one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { safeLink } from '../../../src/pages/rules/safe-url.js';
import { type Json, type JsonObject, type RunInput, recordOf, usePerform, useRun } from '../api.js';
import { Field, type InputProps, RemoveButton, TextInput } from '../inputs.js';
import { type Asked, ListView } from '../list-view.js';
import { Button, DialogButton } from '../parts.js';
import { pictureAddress } from '../site.js';
import { texts } from '../texts.js';
import { textOf, titleOf } from '../values.js';

/** By title, or by address after a slash: a search in every field takes too long on large sites. */
export function matching({ q }: Asked): RunInput['options'] {
  if (q === undefined) return {};
  return { filter: [q.startsWith('/') ? `uri[like]=%${q.slice(1)}%` : `pagetitle[like]=%${q}%`] };
}

/** Pages of several contexts, whose titles and addresses may be the same. */
export function isMixed(pages: readonly JsonObject[]): boolean {
  return new Set(pages.map((page) => page['context_key'])).size > 1;
}

interface ButtonProps {
  readonly id?: string;
  readonly label?: string;
  readonly title?: string;
  readonly kind?: 'small';
  readonly choose: (row: JsonObject) => void;
  /** What stands above the list, and may give another row. */
  readonly above?: (take: (row: JsonObject) => void) => ComponentChildren;
}

interface ChooserProps extends ButtonProps {
  readonly path: string;
  readonly title: string;
  readonly find: string;
  readonly ask: (asked: Asked) => RunInput['options'];
  readonly list: 'found' | 'tiles';
  readonly children: (row: JsonObject, rows: readonly JsonObject[]) => ComponentChildren;
}

/** A dialog with rows of a command that have some words, as buttons. */
function Chooser({ path, title, find, ask, list, above, choose, children, label = title, ...button }: ChooserProps) {
  return (
    <DialogButton {...{ ...button, label, title }}>
      {(close) => {
        const take = (row: JsonObject): void => {
          close();
          choose(row);
        };
        return (
          <>
            {above?.(take)}
            <ListView
              {...{ path, label: title, ask, limit: 24, filters: [{ name: 'q', title: find }] }}
              draw={(rows) => (
                <ul class={list}>
                  {rows.map((row) => (
                    <li key={textOf(row['id'] ?? row['path'])}>
                      <Button label={children(row, rows)} act={() => take(row)} />
                    </li>
                  ))}
                </ul>
              )}
            />
          </>
        );
      }}
    </DialogButton>
  );
}

export function PageButton(button: ButtonProps) {
  return (
    <Chooser
      {...{ kind: 'small', path: 'resource list', list: 'found', find: texts.writing.findPage }}
      {...{ title: texts.writing.choosePage, ...button }}
      ask={(asked) => ({ fields: 'id,pagetitle,uri,context_key', ...matching(asked) })}
    >
      {({ pagetitle, context_key: context, uri }, pages) => (
        <>
          <b>{textOf(pagetitle)}</b>{' '}
          <span class="help">
            {isMixed(pages) ? `${context} · ` : ''}/{textOf(uri)}
          </span>
        </>
      )}
    </Chooser>
  );
}

export function useTitles(ids: readonly Json[]): (id: Json) => string {
  const known = ids.map(String).filter((id) => /^\d+$/.test(id));
  const options = { filter: [`id[in]=${known.join()}`], fields: 'id,pagetitle', all: true, limit: 1000 };
  const { rows } = useRun(known.length > 0 ? 'resource list' : null, { options });
  const titles = new Map(rows.map(({ id, pagetitle }) => [textOf(id), textOf(pagetitle)]));
  return (id) => titles.get(String(id)) || String(id);
}

/** A page by its title, kept by id. */
export function PageInput({ value, change, ...field }: InputProps<string>) {
  const nameOf = useTitles([value]);
  const isGiven = value !== '';
  return (
    <Field
      {...field}
      control={({ id }) => (
        <div class="row">
          <PageButton
            {...{ id, ...(isGiven && { label: nameOf(value) }) }}
            choose={(page) => change(textOf(page['id']))}
          />
          {isGiven && <RemoveButton label={field.label} remove={() => change('')} />}
        </div>
      )}
    />
  );
}

export function pageOfSite(field: InputProps<string>) {
  return <PageInput {...field} />;
}

interface LinkButtonProps {
  readonly current: () => string;
  readonly choose: (address: string) => void;
}

/** Gives an address that is typed or of a page, empty to take the link away; `current` is that of the link there is. */
export function LinkButton({ current, choose }: LinkButtonProps) {
  return (
    <PageButton
      title={texts.writing.link}
      choose={({ uri, typed = `/${uri}` }) => choose(textOf(typed))}
      above={(take) => <AddressForm before={current()} put={(typed) => take({ typed })} />}
    />
  );
}

function AddressForm({ before, put }: { readonly before: string; readonly put: (address: string) => void }) {
  const [address, setAddress] = useState(before);
  const t = texts.writing;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        put(address.trim());
      }}
    >
      <TextInput label={titleOf('address')} help={t.addressHelp} value={address} change={setAddress} />
      <div class="actions">
        {/* What the site would take out of the text is not put into it. */}
        <button type="submit" class="primary" disabled={!safeLink(address)}>
          {t.setLink}
        </button>
        <Button label={t.removeLink} act={() => put('')} />
      </div>
    </form>
  );
}

/** Of the media folder; pictures of other hosts are not loaded. */
export function Picture({ address }: { readonly address: string }) {
  const shown = pictureAddress(address);
  return <span class="picture">{shown && <img src={shown} alt="" loading="lazy" />}</span>;
}

interface MediaInputProps extends InputProps<string>, Partial<Pick<MediaButtonProps, 'type' | 'choose'>> {
  readonly address?: string;
}

/** The address of a picture or file, typed or chosen. */
export function MediaInput({ value, change, type, choose, address = value, ...field }: MediaInputProps) {
  return (
    <TextInput {...{ ...field, value, change }} placeholder={titleOf('address')}>
      <Picture address={address} />
      <MediaButton {...{ type }} choose={choose ?? (({ url }) => change(textOf(url)))} />
      {value !== '' && <RemoveButton label={field.label} remove={() => change('')} />}
    </TextInput>
  );
}

interface MediaButtonProps extends ButtonProps {
  readonly type?: 'image' | null | undefined;
}

/** Gives the `url`, and of a picture its `width` and `height`. */
export function MediaButton({ type = 'image', choose, ...button }: MediaButtonProps) {
  const { chooseFile, choosePicture, findFile: find } = texts.writing;
  return (
    <Chooser
      {...{ ...button, path: 'media list', list: 'tiles', find, title: type === null ? chooseFile : choosePicture }}
      ask={(asked) => ({ ...asked, ...(type && { type }) })}
      choose={async ({ url = '' }) => choose({ url, ...(await sizeOf(pictureAddress(textOf(url)))) })}
      above={(take) => <Upload type={type} put={take} />}
    >
      {({ path, url, type: kind }) => (
        <>
          {textOf(kind).startsWith('image/') ? (
            <Picture address={textOf(url)} />
          ) : (
            <b>{textOf(kind).replace(/^.*\//, '')}</b>
          )}
          <span>{textOf(path)}</span>
        </>
      )}
    </Chooser>
  );
}

async function sizeOf(address: string | null): Promise<JsonObject> {
  const picture = new Image();
  picture.src = address ?? '';
  await picture.decode().catch(() => undefined);
  const { naturalWidth: width, naturalHeight: height } = picture;
  return width > 0 ? { width, height } : {};
}

function Upload({ type, put }: Pick<MediaButtonProps, 'type'> & { readonly put: (file: JsonObject) => void }) {
  const { error, isRunning, perform } = usePerform('media put', ({ data }) => put(recordOf(data)));
  const help = isRunning ? texts.running : undefined;
  const [isWrong, setWrong] = useState(false);
  const problems = isWrong ? [texts.writing.noPicture] : error === null ? [] : [error.message];
  return (
    <Field
      {...{ label: texts.writing.upload, help, problems }}
      control={(tie) => (
        <input
          {...{ ...tie, disabled: isRunning }}
          type="file"
          accept={type === null ? undefined : 'image/*'}
          onChange={({ currentTarget: input }) => {
            for (const file of input.files ?? []) {
              // Browsers only propose what is accepted.
              const isOther = type !== null && !file.type.startsWith('image/');
              setWrong(isOther);
              if (isOther) break;
              // Addresses are easier to read without spaces and signs.
              const name = file.name.normalize('NFC').replace(/[^\p{L}\p{N}._-]+/gu, '-');
              perform({ arguments: [name], options: { events: true }, input: file });
            }
            input.value = '';
          }}
        />
      )}
    />
  );
}
