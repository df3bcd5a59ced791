/** Small pieces of body HTML. Text is escaped here, so that the data modules hold plain sentences. */

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export function heading(text: string): string {
  return `<h2>${escapeHtml(text)}</h2>`;
}

export function paragraph(...sentences: readonly string[]): string {
  return `<p>${sentences.map(escapeHtml).join(' ')}</p>`;
}

/** A paragraph whose parts are HTML already. */
export function paragraphOf(...parts: readonly string[]): string {
  return `<p>${parts.join(' ')}</p>`;
}

export function link(uri: string, text: string): string {
  return `<a href="${escapeHtml(uri)}">${escapeHtml(text)}</a>`;
}

export function bullets(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}\n</ul>`;
}

export function steps(items: readonly string[]): string {
  return `<ol>\n${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}\n</ol>`;
}

export function linkList(links: readonly string[]): string {
  return `<ul class="links">\n${links.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}

export function factTable(facts: readonly (readonly [name: string, value: string])[]): string {
  const rows = facts.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table class="facts">\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
}

export function picture(path: string, caption: string): string {
  const source = `assets/pictures/${path}`;
  return `<figure><img src="${escapeHtml(source)}" alt="${escapeHtml(caption)}" loading="lazy" width="1200" height="800"><figcaption>${escapeHtml(caption)}</figcaption></figure>`;
}

export function quotation(text: string, source: string): string {
  return `<blockquote><p>${escapeHtml(text)}</p><footer>${escapeHtml(source)}</footer></blockquote>`;
}

export function join(...parts: readonly string[]): string {
  return parts.join('\n');
}
