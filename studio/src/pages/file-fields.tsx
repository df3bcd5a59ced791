/** Pictures and files: one, or a list of them. */
import { useState } from 'preact/hooks';
import { isObject, type Json, type JsonObject } from '../api.js';
import { RemoveButton, TextInput } from '../inputs.js';
import { texts } from '../texts.js';
import { ChosenList } from './chosen-list.js';
import { useField, usePictureAddress, type ValueProps } from './editing.js';
import { type FoundMedia, MediaDialog } from './pickers.js';

function urlOf(value: Json | undefined): string {
  const url = isObject(value) ? value['url'] : value;
  return typeof url === 'string' ? url : '';
}

export function FileField({ field, value, path, change }: ValueProps) {
  const own = useField(field, path);
  const [isPicking, setPicking] = useState(false);
  const url = urlOf(value);
  const isPicture = field.type === 'image';
  // What is known of another picture does not hold for this one.
  const take = (address: string): void => change(address === '' ? undefined : { url: address });
  return (
    <TextInput {...own} value={url} change={take} placeholder={texts.writing.address}>
      <Thumbnail url={url} />
      <button type="button" onClick={() => setPicking(true)}>
        {isPicture ? texts.writing.choosePicture : texts.writing.chooseFile}
      </button>
      {url === '' ? null : <RemoveButton label={own.label} remove={() => take('')} />}
      {isPicking ? (
        <MediaDialog
          type={isPicture ? 'image' : null}
          close={() => setPicking(false)}
          choose={(media) => change(mediaOf(media))}
        />
      ) : null}
    </TextInput>
  );
}

function mediaOf({ url, width, height }: FoundMedia): JsonObject {
  return { url, ...(width === undefined || height === undefined ? {} : { width, height }) };
}

function Thumbnail({ url }: { readonly url: string }) {
  const address = usePictureAddress()(url);
  return address === null ? null : <img class="thumbnail" src={address} alt="" loading="lazy" />;
}

export function FileListField(props: ValueProps) {
  return (
    <ChosenList
      {...props}
      nameOf={urlOf}
      picture={(file) => <Thumbnail url={urlOf(file)} />}
      choose={texts.writing.addPicture}
      dialog={({ close, choose }) => (
        <MediaDialog type="image" close={close} choose={(media) => choose(mediaOf(media))} />
      )}
    />
  );
}
