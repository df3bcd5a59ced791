/** Arguments of a run that only shows that a bench works. */
export const shortRun: readonly string[] = [
  '--rows=500',
  '--databases=sqlite',
  '--rounds=1',
  '--seconds=1',
  '--warm-up=1',
];
