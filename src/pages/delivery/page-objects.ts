/** Makes the object of a page (docs/pages.md#one-page). Loaded late, with the template language and HTML parser. */
import type { Log } from '../../log/observation.js';
import { ByteLru } from '../../values/lru-map.js';
import type { PageSection } from '../rules/page-document.js';
import {
  documentPart,
  htmlPart,
  keepSectionTypes,
  sectionsPart,
  valuesPart,
  visibleSections,
} from '../rules/page-parts.js';
import { notRendered, type RenderedSection, renderSections } from '../rules/render.js';
import { type AnswerOf, pageHead } from './page-answer.js';
import { type DeliveredPage, pageMemoryBytes, valueOverhead } from './published-pages.js';
import type { TypesInForce } from './section-type-memory.js';

type Rendering = ReadonlyMap<PageSection, RenderedSection>;

export class PageObjects {
  readonly #log: Log;
  readonly #renderings = new ByteLru<Rendering>(pageMemoryBytes);

  constructor(log: Log) {
    this.#log = log;
  }

  make(asked: AnswerOf): Readonly<Record<string, unknown>> {
    const { found, page, include, sectionTypes, visit, inForce, hreflang } = asked;
    const kept = keepSectionTypes(page.document, sectionTypes);
    const seen = visibleSections(kept, visit);
    const rendering = include.has('html') || include.has('sections') ? this.#render(page, inForce) : null;
    const rendered = seen.map((section) => rendering?.get(section) ?? notRendered);
    return {
      ...pageHead(found),
      ...(include.has('document') ? { document: documentPart(kept) } : {}),
      ...(include.has('values') ? { values: valuesPart(seen, inForce.types) } : {}),
      ...(include.has('html') ? { html: htmlPart(rendered) } : {}),
      ...(include.has('sections') ? { sections: sectionsPart(seen, rendered) } : {}),
      ...(hreflang === null ? {} : { hreflang }),
    };
  }

  /** Includes hidden sections: all share one budget, so the result is always the same. */
  #render(page: DeliveredPage, { types, generation }: TypesInForce): Rendering {
    const { sections } = page.document;
    const key = `${page.key}:${generation}`;
    const kept = this.#renderings.get(key);
    if (kept !== undefined) return kept;
    const rendered = renderSections(sections, types);
    const rendering: Rendering = new Map(sections.map((section, at) => [section, rendered[at] ?? notRendered]));
    this.#report(page, rendering);
    let size = valueOverhead * (sections.length + 1);
    for (const { html } of rendering.values()) size += 2 * html.length;
    this.#renderings.set(key, rendering, size);
    return rendering;
  }

  /** Once for each rendering: the log explains a section that is missing on a page. */
  #report({ resource, revision }: DeliveredPage, rendering: Rendering): void {
    for (const [{ id: section, type }, { failure: reason }] of rendering) {
      if (reason !== null) this.#log({ kind: 'section_not_rendered', resource, revision, section, type, reason });
    }
  }
}
