/** A picture or a file. */
import { isObject, type Json } from '../api.js';
import { RemoveButton, TextInput } from '../inputs.js';
import { texts } from '../texts.js';
import { useField, usePictureAddress, type ValueProps } from './editing.js';
import { MediaButton } from './pickers.js';

export function urlOf(value: Json | undefined): string {
  const url = isObject(value) ? value['url'] : value;
  return typeof url === 'string' ? url : '';
}

export function Thumbnail({ url }: { readonly url: string }) {
  const address = usePictureAddress()(url);
  return address && <img class="thumbnail" src={address} alt="" loading="lazy" />;
}

export function FileField({ field, value, path, change }: ValueProps) {
  const own = useField(field, path);
  const url = urlOf(value);
  // What is known of another picture does not hold for this one.
  const take = (address: string): void => change(address === '' ? undefined : { url: address });
  return (
    <TextInput {...own} value={url} change={take} placeholder={texts.writing.address}>
      <Thumbnail url={url} />
      <MediaButton type={field.type === 'image' ? 'image' : null} choose={(media) => change({ ...media })} />
      {url !== '' && <RemoveButton label={own.label} remove={() => take('')} />}
    </TextInput>
  );
}
