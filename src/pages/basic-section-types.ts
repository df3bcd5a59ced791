/** The twelve section types that are shipped, in the order in which a catalogue offers them. */
import type { BasicSection } from './basic-types/basic-section.js';
import { cardsSection } from './basic-types/cards.js';
import { contactSection } from './basic-types/contact.js';
import { ctaSection } from './basic-types/cta.js';
import { faqSection } from './basic-types/faq.js';
import { gallerySection } from './basic-types/gallery.js';
import { heroSection } from './basic-types/hero.js';
import { imageSection } from './basic-types/image.js';
import { richtextSection } from './basic-types/richtext.js';
import { spacerSection } from './basic-types/spacer.js';
import { statsSection } from './basic-types/stats.js';
import { testimonialsSection } from './basic-types/testimonials.js';
import { videoSection } from './basic-types/video.js';
import { requireReading } from './page-problem.js';
import { readSectionTypes } from './read-section-type.js';
import type { SectionType } from './section-type.js';

/** Definitions and samples as written. */
export const basicSections: readonly BasicSection[] = Object.freeze([
  heroSection,
  richtextSection,
  imageSection,
  gallerySection,
  videoSection,
  faqSection,
  cardsSection,
  statsSection,
  testimonialsSection,
  ctaSection,
  contactSection,
  spacerSection,
]);

let read: readonly SectionType[] | undefined;

/** The types, read once, when they are first asked for: most commands never do. */
export function basicSectionTypes(): readonly SectionType[] {
  read ??= requireReading(readSectionTypes(basicSections.map(({ definition }) => definition)));
  return read;
}
