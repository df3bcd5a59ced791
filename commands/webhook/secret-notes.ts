/** Notes on a new secret. */

export function secretNotes(secret: string): readonly string[] {
  return [
    'Copy the secret now: it is not shown again.',
    secret.startsWith('whsec_')
      ? 'To verify deliveries, use a Standard Webhooks library (webhook-signature) or see docs/webhooks.md.'
      : 'To verify deliveries, check X-Gateway-Signature, or webhook-signature with the bytes of the secret: see docs/webhooks.md.',
  ];
}
