/** The picture of a banner, and the choice of one. */
import { useState } from 'preact/hooks';
import { TextInput } from '../inputs.js';
import { usePictureAddress } from '../pages/editing.js';
import { MediaDialog } from '../pages/pickers.js';
import type { FieldProps } from '../record-form.js';
import { texts } from '../texts.js';

/** Of a picture that this site serves, or as it is stored. Pictures of other hosts are not loaded. */
export function Picture({ address }: { readonly address: string }) {
  const shown = usePictureAddress()(address.replace(/^https?:\/\/[^/]+(?=\/files\/)/, ''));
  return <span class="picture">{shown === null ? null : <img src={shown} alt="" loading="lazy" />}</span>;
}

interface PictureFieldProps extends FieldProps {
  /** Where the stored value can be seen. */
  readonly address: string;
}

export function PictureField({ address, ...field }: PictureFieldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <TextInput {...field}>
      <Picture address={address} />
      <button type="button" onClick={() => setOpen(true)}>
        {texts.writing.choosePicture}
      </button>
      {isOpen ? (
        <MediaDialog type="image" close={() => setOpen(false)} choose={({ url }) => field.change(url)} />
      ) : null}
    </TextInput>
  );
}
