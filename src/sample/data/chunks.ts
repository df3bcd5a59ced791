/** The chunks of the sample site, by category. */
import type { CategoryName } from './templates.js';

export interface SampleChunk {
  readonly name: string;
  readonly category: CategoryName;
  readonly description: string;
  readonly html: string;
}

function chunk(category: CategoryName, name: string, rest: { description: string; html: string }): SampleChunk {
  return { name, category, ...rest };
}

export const chunks: readonly SampleChunk[] = [
  chunk('Layout', 'head', {
    description: 'Everything between the head tags',
    html: '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>[[*seoTitle:default=`[[*pagetitle]]`]] – [[++site_name]]</title>\n<base href="[[++site_url]]">\n<link rel="stylesheet" href="assets/css/larkfell.css">',
  }),
  chunk('Layout', 'site-header', {
    description: 'Name and main menu',
    html: '<header>\n<a class="brand" href="[[~[[++site_start]]]]">[[++site_name]]</a>\n<nav aria-label="Main">[[mainMenu? &depth=`1` &row=`menu-row`]]</nav>\n</header>',
  }),
  chunk('Layout', 'menu-row', {
    description: 'One entry of the menu',
    html: '<li[[+current:notempty=` aria-current="page"`]]><a href="[[+link]]">[[+menutitle]]</a></li>',
  }),
  chunk('Layout', 'site-footer', {
    description: 'Footer with legal links',
    html: '<footer>\n[[*footerNote]]\n<p>Mill Lane 3, Larkfell</p>\n[[mainMenu? &parent=`legal` &showHidden=`1`]]\n</footer>',
  }),
  chunk('Layout', 'footer-note', {
    description: 'Default of the variable footerNote',
    html: '<p class="note">Prices include tax. Repairs at cost price.</p>',
  }),
  chunk('Layout', 'hero', {
    description: 'Picture at the top with its caption',
    html: '<figure class="hero"><img src="[[*heroImage]]" alt=""><figcaption>[[*heroCaption]]</figcaption></figure>',
  }),
  chunk('Layout', 'breadcrumb', {
    description: 'One step of the path',
    html: '<li><a href="[[+link]]">[[+title]]</a></li>',
  }),
  chunk('Layout', 'card', {
    description: 'Card in an overview',
    html: '<article class="card"><img src="[[+heroImage]]" alt="" loading="lazy"><h3><a href="[[~[[+id]]]]">[[+pagetitle]]</a></h3><p>[[+teaser]]</p></article>',
  }),
  chunk('Content', 'contact-box', {
    description: 'How to reach the desk',
    html: '<aside class="contact"><h2>Questions?</h2><p>Write to <a href="mailto:desk@larkfell.example">desk@larkfell.example</a>.</p></aside>',
  }),
  chunk('Content', 'guide-meta', {
    description: 'Reading time and level of a guide',
    html: '<p class="meta">[[*readingTime]] minutes, by [[userName? &id=`[[*author]]`]]</p>',
  }),
  chunk('Content', 'related-row', {
    description: 'Line in the list of related pages',
    html: '<li><a href="[[~[[+id]]]]">[[+pagetitle]]</a></li>',
  }),
  chunk('Catalogue', 'product-head', {
    description: 'Price, weight and availability',
    html: '<p class="price">€ [[*price]]</p>\n<p class="stock [[*availability]]">[[*articleNumber]], [[*weight]] g</p>',
  }),
  chunk('Catalogue', 'spec-table', {
    description: 'Table from the MIGX variable',
    html: '<table>[[migxRows? &tv=`specification` &row=`spec-row`]]</table>',
  }),
  chunk('Catalogue', 'spec-row', {
    description: 'Row of that table',
    html: '<tr><th scope="row">[[+name]]</th><td>[[+value]]</td></tr>',
  }),
  chunk('Places', 'store-card', {
    description: 'Address and hours',
    html: '<address>[[*openingHours:nl2br]]<br><a href="mailto:[[*storeEmail]]">[[*storeEmail]]</a><br><a href="[[*mapUrl]]">Map</a></address>',
  }),
  chunk('Places', 'trip-facts', {
    description: 'Date, level and price of a trip',
    html: '<dl><dt>Start</dt><dd>[[*startsOn]]</dd><dt>Level</dt><dd>[[*difficulty]]</dd><dt>Price</dt><dd>€ [[*price]]</dd></dl>',
  }),
  chunk('Places', 'booking-note', {
    description: 'Terms below every trip',
    html: '<p class="note">If we call a trip off, you choose between another date and the whole price back.</p>',
  }),
  chunk('Journal', 'byline', {
    description: 'Author and date of an article',
    html: '<p class="byline">[[userName? &id=`[[*author]]`]], [[*publishedon:date=`%e %B %Y`]]</p>',
  }),
  chunk('Journal', 'tag-link', {
    description: 'One tag',
    html: '<a class="tag" rel="tag" href="[[~[[++site_start]]]]?tag=[[+tag:urlencode]]">[[+tag]]</a>',
  }),
  chunk('Members', 'members-bar', {
    description: 'Greeting above member pages',
    html: '<p class="members">[[!userName]] – [[*memberNote]]</p>',
  }),
  chunk('Technical', 'feed-entry', {
    description: 'Entry of the Atom feed',
    html: '<entry><title>[[+pagetitle:htmlent]]</title><id>[[~[[+id]]? &scheme=`full`]]</id><updated>[[+editedon:date=`%Y-%m-%dT%H:%M:%SZ`]]</updated></entry>',
  }),
];
