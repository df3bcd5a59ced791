/** What to do with a fresh secret, for people. */

export function secretNotes(secret: string): readonly string[] {
  return [
    'The secret is shown only now: store it where the receiver reads its secrets.',
    secret.startsWith('whsec_')
      ? 'Verify deliveries with a library of Standard Webhooks (webhook-signature), or see docs/webhooks.md.'
      : 'Verify deliveries by X-Gateway-Signature, or by webhook-signature with the bytes of the secret: see docs/webhooks.md.',
  ];
}
