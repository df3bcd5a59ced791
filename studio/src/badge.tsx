/** A state as a word with a colour. */
export function Badge({ kind, text }: { readonly kind: 'good' | 'bad' | 'plain'; readonly text: string }) {
  return <span class={`badge ${kind}`}>{text}</span>;
}
