/** The form of the texts of guides and their topics. */

export interface GuideText {
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly steps: readonly string[];
  readonly minutes: number;
}

export interface GuideTopic {
  readonly key: string;
  readonly title: string;
  readonly opening: string;
  readonly why: readonly string[];
  readonly shop: string;
  readonly guides: readonly GuideText[];
}

export function guide(
  key: string,
  title: string,
  rest: { summary: string; minutes: number; steps: readonly string[] },
): GuideText {
  return { key: `guide-${key}`, title, ...rest };
}
