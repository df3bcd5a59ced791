/** Encrypts small stored secrets. A sealed text names its key, so a changed root secret is not taken for damage. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

type Unsealed =
  | { readonly kind: 'opened'; readonly text: string }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'damaged' };

export interface Sealer {
  /** Printable ASCII without spaces; differs at every call. */
  seal(text: string): string;
  unseal(sealed: string): Unsealed;
}

const version = 's1';
const nonceBytes = 12;
const tagBytes = 16;
const form = /^s1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

export function isSealed(text: string): boolean {
  return form.test(text);
}

/** Texts sealed for one purpose cannot be opened for another. */
export function makeSealer({ rootSecret, purpose }: { readonly rootSecret: string; readonly purpose: string }): Sealer {
  const derive = (what: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', rootSecret, '', `hcd ${purpose} ${what}`, bytes));
  const key = derive('key', 32);
  const keyId = derive('key id', 4).toString('hex');
  const bound = Buffer.from(`${version} ${purpose}`);
  return Object.freeze({
    seal(text: string): string {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound);
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${version}.${keyId}.${sealed.toString('base64url')}`;
    },
    unseal(sealed: string): Unsealed {
      const [, madeBy, encoded] = form.exec(sealed) ?? [];
      if (madeBy === undefined || encoded === undefined) return { kind: 'damaged' };
      if (madeBy !== keyId) return { kind: 'foreign' };
      const bytes = Buffer.from(encoded, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return { kind: 'damaged' };
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(bound).setAuthTag(bytes.subarray(-tagBytes));
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
        return { kind: 'opened', text: text.toString('utf8') };
      } catch {
        // Only the check of the tag fails here.
        return { kind: 'damaged' };
      }
    },
  });
}
