/** The twelve section types that are shipped, in the order in which a catalogue offers them. */
import type { BasicSection } from '../shipped-types/basic-section.js';
import { cardsSection } from '../shipped-types/cards.js';
import { contactSection } from '../shipped-types/contact.js';
import { ctaSection } from '../shipped-types/cta.js';
import { faqSection } from '../shipped-types/faq.js';
import { gallerySection } from '../shipped-types/gallery.js';
import { heroSection } from '../shipped-types/hero.js';
import { imageSection } from '../shipped-types/image.js';
import { richtextSection } from '../shipped-types/richtext.js';
import { spacerSection } from '../shipped-types/spacer.js';
import { statsSection } from '../shipped-types/stats.js';
import { testimonialsSection } from '../shipped-types/testimonials.js';
import { videoSection } from '../shipped-types/video.js';
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
