/** Pictures and files: one, or a list of them. */
import { useId, useState } from 'preact/hooks';
import { isObject, type Json, type JsonObject } from '../api.js';
import { describedBy, Field } from '../parts.js';
import { texts } from '../texts.js';
import { usePictureAddress, useProblems } from './editing.js';
import { Group, helpOf, nameOf, type ValueProps } from './fields.js';
import { moved } from './page-document.js';
import { type FoundMedia, MediaDialog } from './pickers.js';
import { Sortable } from './sortable.js';

function urlOf(value: Json | undefined): string {
  const url = isObject(value) ? value['url'] : value;
  return typeof url === 'string' ? url : '';
}

export function FileField({ field, value, path, change }: ValueProps) {
  const id = useId();
  const problems = useProblems(path, true);
  const [isPicking, setPicking] = useState(false);
  const url = urlOf(value);
  // What is known of another picture does not hold for this one.
  const take = (address: string): void => change(address === '' ? undefined : { url: address });
  return (
    <Field id={id} label={nameOf(field)} help={helpOf(field)} required={field.required} problems={problems}>
      <div class="file">
        <Thumbnail url={url} />
        <input
          id={id}
          type="text"
          value={url}
          placeholder={texts.writing.address}
          aria-invalid={problems.length > 0}
          aria-describedby={describedBy(id, { help: helpOf(field), problems })}
          onInput={({ currentTarget }) => take(currentTarget.value)}
        />
        <button type="button" onClick={() => setPicking(true)}>
          {field.type === 'image' ? texts.writing.choosePicture : texts.writing.chooseFile}
        </button>
        {url === '' ? null : (
          <button
            type="button"
            class="small"
            aria-label={texts.writing.removeOf(nameOf(field))}
            onClick={() => take('')}
          >
            {texts.remove}
          </button>
        )}
      </div>
      {isPicking ? (
        <MediaDialog
          type={field.type === 'image' ? 'image' : null}
          close={() => setPicking(false)}
          choose={(media) => change(mediaOf(media))}
        />
      ) : null}
    </Field>
  );
}

function mediaOf({ url, width, height }: FoundMedia): JsonObject {
  return { url, ...(width === undefined || height === undefined ? {} : { width, height }) };
}

function Thumbnail({ url }: { readonly url: string }) {
  const address = usePictureAddress()(url);
  return address === null ? null : <img class="thumbnail" src={address} alt="" loading="lazy" />;
}

export function FileListField({ field, value, path, change }: ValueProps) {
  const files: readonly Json[] = Array.isArray(value) ? value : [];
  const [isPicking, setPicking] = useState(false);
  const set = (next: readonly Json[]): void => change(next.length === 0 ? undefined : next);
  return (
    <Group field={field} path={path} deep>
      <Sortable
        items={files}
        keyOf={(_, at) => String(at)}
        labelOf={(file) => urlOf(file)}
        move={(from, to) => set(moved(files, from, to))}
      >
        {(file, at, handle) => (
          <div class="file">
            {handle} <Thumbnail url={urlOf(file)} /> <span class="grow">{urlOf(file)}</span>
            <button
              type="button"
              class="small"
              aria-label={texts.writing.removeOf(urlOf(file))}
              onClick={() => set(files.filter((_, other) => other !== at))}
            >
              {texts.remove}
            </button>
          </div>
        )}
      </Sortable>
      <button type="button" class="small" onClick={() => setPicking(true)}>
        {texts.writing.addPicture}
      </button>
      {isPicking ? (
        <MediaDialog type="image" close={() => setPicking(false)} choose={(media) => set([...files, mediaOf(media)])} />
      ) : null}
    </Group>
  );
}
