/** The picture of a banner, and the choice of one. */
import { useId, useState } from 'preact/hooks';
import { usePictureAddress } from '../pages/editing.js';
import { MediaDialog } from '../pages/pickers.js';
import { Field } from '../parts.js';
import { texts } from '../texts.js';

/** Of a picture that this site serves, or as it is stored. Pictures of other hosts are not loaded. */
export function Picture({ address }: { readonly address: string }) {
  const shown = usePictureAddress()(address.replace(/^https?:\/\/[^/]+(?=\/files\/)/, ''));
  return <span class="picture">{shown === null ? null : <img src={shown} alt="" loading="lazy" />}</span>;
}

interface PictureFieldProps {
  readonly value: string;
  /** Where the stored value can be seen. */
  readonly address: string;
  readonly problems: readonly string[];
  readonly change: (value: string) => void;
}

export function PictureField({ value, address, problems, change }: PictureFieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <Field id={id} label={texts.banners.picture} help={texts.banners.pictureHelp} problems={problems}>
      <div class="row">
        <Picture address={address} />
        <input id={id} type="text" value={value} onInput={({ currentTarget }) => change(currentTarget.value)} />
        <button type="button" onClick={() => setOpen(true)}>
          {texts.writing.choosePicture}
        </button>
      </div>
      {isOpen ? <MediaDialog type="image" close={() => setOpen(false)} choose={({ url }) => change(url)} /> : null}
    </Field>
  );
}
