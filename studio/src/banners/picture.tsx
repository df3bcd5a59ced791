/** The picture of a banner, and the choice of one. */
import { type InputProps, TextInput } from '../inputs.js';
import { usePictureAddress } from '../pages/editing.js';
import { MediaButton } from '../pages/pickers.js';

/** Of a picture that this site serves, or as it is stored. Pictures of other hosts are not loaded. */
export function Picture({ address }: { readonly address: string }) {
  const shown = usePictureAddress()(address.replace(/^https?:\/\/[^/]+(?=\/files\/)/, ''));
  return <span class="picture">{shown && <img src={shown} alt="" loading="lazy" />}</span>;
}

/** `address` is where the stored value can be seen. */
export function PictureField({ address, ...field }: InputProps<string> & { readonly address: string }) {
  return (
    <TextInput {...field}>
      <Picture address={address} />
      <MediaButton choose={({ url }) => field.change(url)} />
    </TextInput>
  );
}
