// Types of this site, made by `hcd types`. Changes are lost when it runs again.

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** The fields of every resource. */
export interface ResourceFields {
  id: number;
  type: string;
  pagetitle: string;
  /** The heading of the page; where it is empty, pagetitle is */
  longtitle: string;
  description: string;
  alias: string;
  link_attributes: string;
  published: boolean;
  pub_date: string | null;
  unpub_date: string | null;
  parent: number;
  isfolder: boolean;
  introtext: string | null;
  content: string | null;
  richtext: boolean;
  template: number;
  menuindex: number;
  searchable: boolean;
  cacheable: boolean;
  /** Only with the scope fields.createdby */
  createdby?: number;
  createdon: string | null;
  /** Only with the scope fields.editedby */
  editedby?: number;
  editedon: string | null;
  deleted: boolean;
  deletedon: string | null;
  /** Only with the scope fields.deletedby */
  deletedby?: number;
  publishedon: string | null;
  /** Only with the scope fields.publishedby */
  publishedby?: number;
  /** The text in menus; where it is empty, pagetitle is */
  menutitle: string;
  content_dispo: number;
  hidemenu: boolean;
  class_key: string;
  context_key: string;
  content_type: number;
  uri: string | null;
  uri_override: boolean;
  hide_children_in_tree: boolean;
  show_in_tree: boolean;
}

/** Template 1: Home */
export interface HomeResource extends ResourceFields {
  template: 1;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    heroCaption: string | null;
    heroImage: string | null;
    layoutVariant: string | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seoTitle: string | null;
    sidebar: string | null;
  };
}

/** Template 2: Page */
export interface PageResource extends ResourceFields {
  template: 2;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    footerNote: string | null;
    heroCaption: string | null;
    heroImage: string | null;
    relatedPage: number | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seoTitle: string | null;
    sidebar: string | null;
    sourceUrl: string | null;
    teaser: string | null;
  };
}

/** Template 3: Section */
export interface SectionResource extends ResourceFields {
  template: 3;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    heroCaption: string | null;
    heroImage: string | null;
    layoutVariant: string | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seoTitle: string | null;
    sidebar: string | null;
    teaser: string | null;
  };
}

/** Template 4: Range */
export interface RangeResource extends ResourceFields {
  template: 4;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    dataSheet: string | null;
    heroCaption: string | null;
    heroImage: string | null;
    layoutVariant: string | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seoTitle: string | null;
    teaser: string | null;
  };
}

/** Template 5: Product */
export interface ProductResource extends ResourceFields {
  template: 5;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    articleNumber: string | null;
    availability: "stock" | "order" | "gone" | null;
    dataSheet: string | null;
    gallery: {
      MIGX_id?: string | number;
      /** image */
      image?: string;
      /** caption */
      caption?: string;
    }[] | null;
    heroCaption: string | null;
    heroImage: string | null;
    /** A whole number of at least 0 */
    price: number | null;
    relatedPage: number | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seasons: ("spring" | "summer" | "autumn" | "winter")[] | null;
    seoTitle: string | null;
    specification: {
      MIGX_id?: string | number;
      /** name */
      name?: string;
      /** value */
      value?: string;
    }[] | null;
    /** A whole number of at least 0 */
    weight: number | null;
  };
}

/** Template 6: Guide */
export interface GuideResource extends ResourceFields {
  template: 6;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    author: string | null;
    difficulty: "1" | "2" | "3" | null;
    footerNote: string | null;
    heroCaption: string | null;
    heroImage: string | null;
    /** A whole number of at least 0 */
    readingTime: number | null;
    relatedPage: number | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seoTitle: string | null;
    sourceUrl: string | null;
    tags: string[] | null;
    teaser: string | null;
  };
}

/** Template 7: Store */
export interface StoreResource extends ResourceFields {
  template: 7;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    gallery: {
      MIGX_id?: string | number;
      /** image */
      image?: string;
      /** caption */
      caption?: string;
    }[] | null;
    heroCaption: string | null;
    heroImage: string | null;
    mapUrl: string | null;
    openingHours: string | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seoTitle: string | null;
    storeEmail: string | null;
  };
}

/** Template 8: Trip */
export interface TripResource extends ResourceFields {
  template: 8;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    difficulty: "1" | "2" | "3" | null;
    gallery: {
      MIGX_id?: string | number;
      /** image */
      image?: string;
      /** caption */
      caption?: string;
    }[] | null;
    heroCaption: string | null;
    heroImage: string | null;
    mapUrl: string | null;
    meetingPoint: "workshop" | "station" | "trailhead" | null;
    places: string[] | null;
    /** A whole number of at least 0 */
    price: number | null;
    relatedPage: number | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seasons: ("spring" | "summer" | "autumn" | "winter")[] | null;
    seoTitle: string | null;
    startsOn: string | null;
    teaser: string | null;
  };
}

/** Template 9: Article */
export interface ArticleResource extends ResourceFields {
  template: 9;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    author: string | null;
    gallery: {
      MIGX_id?: string | number;
      /** image */
      image?: string;
      /** caption */
      caption?: string;
    }[] | null;
    heroCaption: string | null;
    heroImage: string | null;
    places: string[] | null;
    /** A whole number of at least 0 */
    readingTime: number | null;
    relatedPage: number | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seoTitle: string | null;
    sourceUrl: string | null;
    tags: string[] | null;
    teaser: string | null;
  };
}

/** Template 10: Members */
export interface MembersResource extends ResourceFields {
  template: 10;
  /** With include=tvs and tv_format=typed */
  tvs: {
    accentColour: string | null;
    heroCaption: string | null;
    heroImage: string | null;
    /** Not for every caller */
    memberNote?: string | null;
    searchFlags: ("noindex" | "nofollow" | "noarchive")[] | null;
    seoTitle: string | null;
  };
}

/** Template 11: Plain */
export interface PlainResource extends ResourceFields {
  template: 11;
  /** With include=tvs and tv_format=typed */
  tvs: Record<never, never>;
}

/** Without a template */
export interface OtherResource extends ResourceFields {
  template: 0;
  /** With include=tvs and tv_format=typed */
  tvs: Record<never, never>;
}

/** Any resource; its template tells which. */
export type Resource =
  | HomeResource
  | PageResource
  | SectionResource
  | RangeResource
  | ProductResource
  | GuideResource
  | StoreResource
  | TripResource
  | ArticleResource
  | MembersResource
  | PlainResource
  | OtherResource;

export interface ContextsRecord {
  key: string;
  name: string | null;
  description: string | null;
  rank: number;
}

export interface ChunksRecord {
  id: number;
  name: string;
  description: string;
  snippet: string | null;
  category: number;
  cache_type: number;
  locked: boolean;
}

export interface TemplatesRecord {
  id: number;
  templatename: string;
  description: string;
  category: number;
  icon: string;
  template_type: number;
  content: string;
  locked: boolean;
}

export interface SnippetsRecord {
  id: number;
  name: string;
  description: string;
  snippet: string | null;
  category: number;
  cache_type: number;
  locked: boolean;
}

export interface TvsRecord {
  id: number;
  type: string;
  name: string;
  caption: string;
  description: string;
  category: number;
  locked: boolean;
  elements: string | null;
  rank: number;
  display: string;
  default_text: string | null;
  source: { id: number; name: string } | null;
}

export interface CategoriesRecord {
  id: number;
  parent: number;
  category: string;
  rank: number;
}

export interface ContentTypesRecord {
  id: number;
  name: string;
  description: string | null;
  mime_type: string | null;
  file_extensions: string | null;
  icon: string | null;
  binary: boolean;
}

/** The records of registered objects, by the names of the objects. */
export interface Objects {
  resources: Resource;
  contexts: ContextsRecord;
  chunks: ChunksRecord;
  templates: TemplatesRecord;
  snippets: SnippetsRecord;
  tvs: TvsRecord;
  categories: CategoriesRecord;
  content_types: ContentTypesRecord;
}

/** A file or picture of a section. */
export interface MediaValue {
  url: string;
  id?: string | number;
  path?: string;
  filename?: string;
  extension?: string;
  name?: string;
  title?: string;
  type?: string;
  width?: number;
  height?: number;
  size?: number;
  crops?: { [name: string]: { url: string; variants?: { url: string; width?: number; height?: number }[] } };
}

export interface VideoValue {
  url: string;
  poster?: string;
  provider?: string;
  embed_url?: string;
  watch_url?: string;
}

export interface MapValue {
  lat: number;
  lng: number;
  zoom: number;
  provider: "yandex" | "osm";
  embed_url: string;
  watch_url: string;
}

export interface ButtonValue {
  label?: string;
  url?: string;
  target?: "" | "_self" | "_blank";
}

/** Names what to show; nothing of it has been looked up. */
export interface DataSourceValue {
  provider: "resources" | "tables" | "shop";
  table?: string;
  filters?: { field: string; op: string; value?: JsonValue }[];
  sort?: { field: string; direction: "asc" | "desc" }[];
  search?: string;
  limit?: number;
}

/** The data of sections, by section type. */
export interface Sections {
  /** Hero, version 1 */
  hero: {
    /** Title */
    title: string;
    /** Description */
    description?: string;
    /** Button label */
    button_label?: string;
    /** Button address */
    button_url?: string;
    /** Background picture */
    background?: MediaValue;
    /** Alignment */
    alignment?: "" | "left" | "center";
    cssClass?: string;
  };
  /** Text, version 1 */
  richtext: {
    /** Text */
    content: string;
    cssClass?: string;
  };
  /** Picture, version 1 */
  image: {
    /** Picture */
    image: MediaValue;
    /** Alternative text */
    alt?: string;
    /** Caption */
    caption?: string;
    cssClass?: string;
  };
  /** Gallery, version 1 */
  gallery: {
    /** Title */
    title?: string;
    /** Pictures */
    items: {
      /** Picture */
      image: MediaValue;
      /** Alternative text */
      alt?: string;
      /** Caption */
      caption?: string;
      _rowId?: string;
    }[];
    cssClass?: string;
  };
  /** Video, version 1 */
  video: {
    /** Title */
    title?: string;
    /** Video */
    video: VideoValue;
    cssClass?: string;
  };
  /** Questions and answers, version 1 */
  faq: {
    /** Title */
    title?: string;
    /** Questions */
    items: {
      /** Question */
      question: string;
      /** Answer */
      answer: string;
      _rowId?: string;
    }[];
    cssClass?: string;
  };
  /** Cards, version 1 */
  cards: {
    /** Title */
    title?: string;
    /** Cards */
    items: {
      /** Title */
      title: string;
      /** Text */
      text?: string;
      _rowId?: string;
    }[];
    cssClass?: string;
  };
  /** Figures, version 1 */
  stats: {
    /** Title */
    title?: string;
    /** Figures */
    items: {
      /** Figure */
      value: string;
      /** What it counts */
      label: string;
      _rowId?: string;
    }[];
    cssClass?: string;
  };
  /** Voices, version 1 */
  testimonials: {
    /** Title */
    title?: string;
    /** Voices */
    items: {
      /** Quote */
      quote: string;
      /** Name */
      name: string;
      /** Role */
      role?: string;
      /** Portrait */
      avatar?: MediaValue;
      _rowId?: string;
    }[];
    cssClass?: string;
  };
  /** Call to action, version 1 */
  cta: {
    /** Title */
    title: string;
    /** Text */
    text?: string;
    /** Button label */
    button_label: string;
    /** Button address */
    button_url: string;
    cssClass?: string;
  };
  /** Contact, version 1 */
  contact: {
    /** Title */
    title?: string;
    /** Text */
    text?: string;
    /** Telephone */
    phone?: string;
    /** E-mail */
    email?: string;
    /** Button label */
    button_label?: string;
    /** Button address */
    button_url?: string;
    cssClass?: string;
  };
  /** Space, version 1 */
  spacer: {
    /** Size */
    size: "" | "sm" | "md" | "lg" | "xl";
    cssClass?: string;
  };
}

/** Keys of the contexts that requests may name. */
export type Contexts = "web" | "mgr" | "journal";

/** Addresses of published resources, without the leading slash. */
export type Uri =
  | "2024/"
  | "2024/in-use-the-beacon-north.html"
  | "2024/in-use-the-cairn-winter.html"
  | "2024/in-use-the-corrie-2-storm.html"
  | "2024/in-use-the-eider-−10.html"
  | "2024/in-use-the-glacier-light.html"
  | "2024/in-use-the-haar-anorak.html"
  | "2024/in-use-the-peat-duo.html"
  | "2024/in-use-the-skerry-38.html"
  | "2024/two-days-around-kinder-scout.html"
  | "2024/two-days-around-skiddaw-house.html"
  | "2024/two-days-around-slieve-binnian.html"
  | "2024/two-days-around-the-bieszczady-meadows.html"
  | "2024/two-days-around-the-cuillin-foothills.html"
  | "2024/two-days-around-the-galtee-ridge.html"
  | "2024/two-days-around-the-rhinogs.html"
  | "2024/workshop-notes-boot-rands.html"
  | "2024/workshop-notes-drawcords.html"
  | "2024/workshop-notes-seam-tape.html"
  | "2024/workshop-notes-tent-pole-tips.html"
  | "2024/workshop-notes-the-down-baffle.html"
  | "2024/workshop-notes-the-hip-belt-wing.html"
  | "2024/workshop-notes-zip-garages.html"
  | "2025/"
  | "2025/in-use-the-bealach-3.html"
  | "2025/in-use-the-drover-45.html"
  | "2025/in-use-the-ember-windshield.html"
  | "2025/in-use-the-halyard-twin.html"
  | "2025/in-use-the-lodestar-night.html"
  | "2025/in-use-the-moorgrass-0.html"
  | "2025/in-use-the-squall-shell.html"
  | "2025/in-use-the-tarn-approach.html"
  | "2025/two-days-around-mont-d’or.html"
  | "2025/two-days-around-säntis.html"
  | "2025/two-days-around-the-alpstein.html"
  | "2025/two-days-around-the-jura-crest.html"
  | "2025/two-days-around-the-karwendel.html"
  | "2025/two-days-around-the-lyngen-coast.html"
  | "2025/two-days-around-triglav’s-back-door.html"
  | "2025/two-days-around-åreskutan.html"
  | "2025/workshop-notes-cuff-elastics.html"
  | "2025/workshop-notes-guy-line-runners.html"
  | "2025/workshop-notes-hood-peaks.html"
  | "2025/workshop-notes-lid-buckles.html"
  | "2025/workshop-notes-roll-top-stiffeners.html"
  | "2025/workshop-notes-stove-gaskets.html"
  | "2025/workshop-notes-the-second-slider.html"
  | "2026/"
  | "2026/in-use-the-burnside-high.html"
  | "2026/in-use-the-crofter-group.html"
  | "2026/in-use-the-fellside-18.html"
  | "2026/in-use-the-lochan-4.html"
  | "2026/in-use-the-shearling-summer.html"
  | "2026/in-use-the-waymark-set.html"
  | "2026/in-use-the-wether-smock.html"
  | "2026/two-days-around-helvellyn-in-fog.html"
  | "2026/two-days-around-hornstrandir.html"
  | "2026/two-days-around-mulhacén.html"
  | "2026/two-days-around-the-brecon-edge.html"
  | "2026/two-days-around-the-mourne-wall.html"
  | "2026/two-days-around-the-pennine-bogs.html"
  | "2026/two-days-around-the-sierra-de-mijas.html"
  | "2026/two-days-around-þórsmörk.html"
  | "2026/workshop-notes-bar-tacks.html"
  | "2026/workshop-notes-chalk-and-pins.html"
  | "2026/workshop-notes-felt-insoles.html"
  | "2026/workshop-notes-labels-that-stay.html"
  | "2026/workshop-notes-the-cutting-table.html"
  | "2026/workshop-notes-thread-number-40.html"
  | "2026/workshop-notes-wool-yarn.html"
  | "about-the-journal.html"
  | "about/"
  | "about/agnes-moore.html"
  | "about/careers.html"
  | "about/contact.html"
  | "about/history.html"
  | "about/imke-brandt.html"
  | "about/jonas-lind.html"
  | "about/marta-núñez.html"
  | "about/people/"
  | "about/press.html"
  | "about/rowan-hale.html"
  | "about/sara-okafor.html"
  | "about/sustainability.html"
  | "about/tomaž-zupan.html"
  | "about/émile-garnier.html"
  | "about/þóra-jónsdóttir.html"
  | "about/łucja-wójcik.html"
  | "application-for-membership.html"
  | "campaign/winter-2026"
  | "care/"
  | "care/cleaning-stoves.html"
  | "care/drying-a-rope.html"
  | "care/reproofing-shells.html"
  | "care/storing-tents.html"
  | "care/washing-down.html"
  | "care/waxing-boots.html"
  | "catalogue-2026.pdf"
  | "data.json"
  | "equipment/"
  | "equipment/backpacks/"
  | "equipment/backpacks/drover/"
  | "equipment/backpacks/drover/drover-18.html"
  | "equipment/backpacks/drover/drover-24.html"
  | "equipment/backpacks/drover/drover-32.html"
  | "equipment/backpacks/drover/drover-38.html"
  | "equipment/backpacks/drover/drover-45.html"
  | "equipment/backpacks/drover/drover-60.html"
  | "equipment/backpacks/fellside/"
  | "equipment/backpacks/fellside/fellside-18.html"
  | "equipment/backpacks/fellside/fellside-24.html"
  | "equipment/backpacks/fellside/fellside-32.html"
  | "equipment/backpacks/fellside/fellside-38.html"
  | "equipment/backpacks/fellside/fellside-45.html"
  | "equipment/backpacks/fellside/fellside-60.html"
  | "equipment/backpacks/skerry/"
  | "equipment/backpacks/skerry/skerry-18.html"
  | "equipment/backpacks/skerry/skerry-24.html"
  | "equipment/backpacks/skerry/skerry-32.html"
  | "equipment/backpacks/skerry/skerry-38.html"
  | "equipment/backpacks/skerry/skerry-45.html"
  | "equipment/backpacks/skerry/skerry-60.html"
  | "equipment/boots/"
  | "equipment/boots/burnside/"
  | "equipment/boots/burnside/burnside-approach.html"
  | "equipment/boots/burnside/burnside-high.html"
  | "equipment/boots/burnside/burnside-low.html"
  | "equipment/boots/burnside/burnside-mid.html"
  | "equipment/boots/burnside/burnside-winter.html"
  | "equipment/boots/burnside/burnside-women’s-mid.html"
  | "equipment/boots/cairn/"
  | "equipment/boots/cairn/cairn-approach.html"
  | "equipment/boots/cairn/cairn-high.html"
  | "equipment/boots/cairn/cairn-low.html"
  | "equipment/boots/cairn/cairn-mid.html"
  | "equipment/boots/cairn/cairn-winter.html"
  | "equipment/boots/cairn/cairn-women’s-mid.html"
  | "equipment/boots/tarn/"
  | "equipment/boots/tarn/tarn-approach.html"
  | "equipment/boots/tarn/tarn-high.html"
  | "equipment/boots/tarn/tarn-low.html"
  | "equipment/boots/tarn/tarn-mid.html"
  | "equipment/boots/tarn/tarn-winter.html"
  | "equipment/jackets/"
  | "equipment/jackets/haar/"
  | "equipment/jackets/haar/haar-anorak.html"
  | "equipment/jackets/haar/haar-gilet.html"
  | "equipment/jackets/haar/haar-insulated.html"
  | "equipment/jackets/haar/haar-light.html"
  | "equipment/jackets/haar/haar-shell.html"
  | "equipment/jackets/haar/haar-smock.html"
  | "equipment/jackets/squall/"
  | "equipment/jackets/squall/squall-anorak.html"
  | "equipment/jackets/squall/squall-gilet.html"
  | "equipment/jackets/squall/squall-insulated.html"
  | "equipment/jackets/squall/squall-light.html"
  | "equipment/jackets/squall/squall-shell.html"
  | "equipment/jackets/squall/squall-smock.html"
  | "equipment/jackets/wether/"
  | "equipment/jackets/wether/wether-anorak.html"
  | "equipment/jackets/wether/wether-gilet.html"
  | "equipment/jackets/wether/wether-insulated.html"
  | "equipment/jackets/wether/wether-light.html"
  | "equipment/jackets/wether/wether-shell.html"
  | "equipment/jackets/wether/wether-smock.html"
  | "equipment/navigation/"
  | "equipment/navigation/beacon/"
  | "equipment/navigation/beacon/beacon-base.html"
  | "equipment/navigation/beacon/beacon-night.html"
  | "equipment/navigation/beacon/beacon-north.html"
  | "equipment/navigation/beacon/beacon-pocket.html"
  | "equipment/navigation/beacon/beacon-school.html"
  | "equipment/navigation/beacon/beacon-set.html"
  | "equipment/navigation/lodestar/"
  | "equipment/navigation/lodestar/lodestar-base.html"
  | "equipment/navigation/lodestar/lodestar-night.html"
  | "equipment/navigation/lodestar/lodestar-north.html"
  | "equipment/navigation/lodestar/lodestar-pocket.html"
  | "equipment/navigation/lodestar/lodestar-school.html"
  | "equipment/navigation/lodestar/lodestar-set.html"
  | "equipment/navigation/waymark/"
  | "equipment/navigation/waymark/waymark-base.html"
  | "equipment/navigation/waymark/waymark-night.html"
  | "equipment/navigation/waymark/waymark-north.html"
  | "equipment/navigation/waymark/waymark-pocket.html"
  | "equipment/navigation/waymark/waymark-school.html"
  | "equipment/navigation/waymark/waymark-set.html"
  | "equipment/ropes-and-hardware/"
  | "equipment/ropes-and-hardware/glacier/"
  | "equipment/ropes-and-hardware/glacier/glacier-light.html"
  | "equipment/ropes-and-hardware/glacier/glacier-long.html"
  | "equipment/ropes-and-hardware/glacier/glacier-rescue.html"
  | "equipment/ropes-and-hardware/glacier/glacier-standard.html"
  | "equipment/ropes-and-hardware/glacier/glacier-training.html"
  | "equipment/ropes-and-hardware/glacier/glacier-twin.html"
  | "equipment/ropes-and-hardware/halyard/"
  | "equipment/ropes-and-hardware/halyard/halyard-light.html"
  | "equipment/ropes-and-hardware/halyard/halyard-long.html"
  | "equipment/ropes-and-hardware/halyard/halyard-rescue.html"
  | "equipment/ropes-and-hardware/halyard/halyard-training.html"
  | "equipment/ropes-and-hardware/halyard/halyard-twin.html"
  | "equipment/ropes-and-hardware/shackle/"
  | "equipment/ropes-and-hardware/shackle/shackle-light.html"
  | "equipment/ropes-and-hardware/shackle/shackle-long.html"
  | "equipment/ropes-and-hardware/shackle/shackle-rescue.html"
  | "equipment/ropes-and-hardware/shackle/shackle-standard.html"
  | "equipment/ropes-and-hardware/shackle/shackle-training.html"
  | "equipment/ropes-and-hardware/shackle/shackle-twin.html"
  | "equipment/sleeping-bags/"
  | "equipment/sleeping-bags/eider/"
  | "equipment/sleeping-bags/eider/eider-0.html"
  | "equipment/sleeping-bags/eider/eider-kids.html"
  | "equipment/sleeping-bags/eider/eider-summer.html"
  | "equipment/sleeping-bags/eider/eider-−20.html"
  | "equipment/sleeping-bags/eider/eider-−5.html"
  | "equipment/sleeping-bags/moorgrass/"
  | "equipment/sleeping-bags/moorgrass/moorgrass-0.html"
  | "equipment/sleeping-bags/moorgrass/moorgrass-kids.html"
  | "equipment/sleeping-bags/moorgrass/moorgrass-summer.html"
  | "equipment/sleeping-bags/moorgrass/moorgrass-−10.html"
  | "equipment/sleeping-bags/moorgrass/moorgrass-−20.html"
  | "equipment/sleeping-bags/moorgrass/moorgrass-−5.html"
  | "equipment/sleeping-bags/shearling/"
  | "equipment/sleeping-bags/shearling/shearling-0.html"
  | "equipment/sleeping-bags/shearling/shearling-kids.html"
  | "equipment/sleeping-bags/shearling/shearling-summer.html"
  | "equipment/sleeping-bags/shearling/shearling-−10.html"
  | "equipment/sleeping-bags/shearling/shearling-−20.html"
  | "equipment/sleeping-bags/shearling/shearling-−5.html"
  | "equipment/stoves-and-cookware/"
  | "equipment/stoves-and-cookware/crofter/"
  | "equipment/stoves-and-cookware/crofter/crofter-duo.html"
  | "equipment/stoves-and-cookware/crofter/crofter-fuel-bottle.html"
  | "equipment/stoves-and-cookware/crofter/crofter-group.html"
  | "equipment/stoves-and-cookware/crofter/crofter-kettle.html"
  | "equipment/stoves-and-cookware/crofter/crofter-solo.html"
  | "equipment/stoves-and-cookware/crofter/crofter-windshield.html"
  | "equipment/stoves-and-cookware/ember/"
  | "equipment/stoves-and-cookware/ember/ember-duo.html"
  | "equipment/stoves-and-cookware/ember/ember-fuel-bottle.html"
  | "equipment/stoves-and-cookware/ember/ember-group.html"
  | "equipment/stoves-and-cookware/ember/ember-kettle.html"
  | "equipment/stoves-and-cookware/ember/ember-solo.html"
  | "equipment/stoves-and-cookware/ember/ember-windshield.html"
  | "equipment/stoves-and-cookware/peat/"
  | "equipment/stoves-and-cookware/peat/peat-fuel-bottle.html"
  | "equipment/stoves-and-cookware/peat/peat-group.html"
  | "equipment/stoves-and-cookware/peat/peat-kettle.html"
  | "equipment/stoves-and-cookware/peat/peat-solo.html"
  | "equipment/stoves-and-cookware/peat/peat-windshield.html"
  | "equipment/tents/"
  | "equipment/tents/bealach/"
  | "equipment/tents/bealach/bealach-1.html"
  | "equipment/tents/bealach/bealach-2-storm.html"
  | "equipment/tents/bealach/bealach-2.html"
  | "equipment/tents/bealach/bealach-3-long.html"
  | "equipment/tents/bealach/bealach-3.html"
  | "equipment/tents/corrie/"
  | "equipment/tents/corrie/corrie-1.html"
  | "equipment/tents/corrie/corrie-2-storm.html"
  | "equipment/tents/corrie/corrie-2.html"
  | "equipment/tents/corrie/corrie-3-long.html"
  | "equipment/tents/corrie/corrie-3.html"
  | "equipment/tents/corrie/corrie-4.html"
  | "equipment/tents/lochan/"
  | "equipment/tents/lochan/lochan-1.html"
  | "equipment/tents/lochan/lochan-2-storm.html"
  | "equipment/tents/lochan/lochan-2.html"
  | "equipment/tents/lochan/lochan-3-long.html"
  | "equipment/tents/lochan/lochan-3.html"
  | "equipment/tents/lochan/lochan-4.html"
  | "feed.rss"
  | "feed.xml"
  | "guides/"
  | "hillcraft/"
  | "hillcraft/crossing-streams.html"
  | "hillcraft/emergency-signals.html"
  | "hillcraft/pitching-in-wind.html"
  | "hillcraft/reading-clouds.html"
  | "hillcraft/retiring-a-rope.html"
  | "hillcraft/walking-on-a-bearing.html"
  | "index.html"
  | "join-the-club.html"
  | "journal.html"
  | "legal/"
  | "legal/accessibility.html"
  | "legal/cookies.html"
  | "legal/imprint.html"
  | "legal/privacy.html"
  | "legal/terms.html"
  | "members-only.html"
  | "not-found.html"
  | "packing/"
  | "packing/a-first-aid-pouch-that-gets-used.html"
  | "packing/food-for-four-days.html"
  | "packing/loading-a-pack.html"
  | "packing/packing-with-children.html"
  | "packing/the-weekend-list.html"
  | "packing/travelling-by-train.html"
  | "repair-at-home/"
  | "repair-at-home/glueing-a-loose-sole.html"
  | "repair-at-home/patching-fabric.html"
  | "repair-at-home/replacing-a-zip-slider.html"
  | "repair-at-home/sewing-webbing.html"
  | "repair-at-home/splinting-a-tent-pole.html"
  | "repair-at-home/when-to-send-it-in.html"
  | "repairs/"
  | "repairs/caring-for-boots.html"
  | "repairs/guides.html"
  | "repairs/open-workshop.html"
  | "repairs/prices-of-repairs.html"
  | "repairs/returns.html"
  | "repairs/spare-parts.html"
  | "repairs/warranty.html"
  | "robots.txt"
  | "sitemap.xml"
  | "stocktaking-weekend.html"
  | "stores/"
  | "stores/all.geojson"
  | "stores/besançon.html"
  | "stores/dublin.html"
  | "stores/innsbruck.html"
  | "stores/kraków.html"
  | "stores/larkfell.html"
  | "stores/ljubljana.html"
  | "stores/málaga.html"
  | "stores/reykjavík.html"
  | "stores/tromsø.html"
  | "stores/zürich.html"
  | "stores/åre.html"
  | "stores/łódź.html"
  | "trips.rss"
  | "trips/"
  | "trips/coast-of-a-hundred-stiles.html"
  | "trips/family-camp.html"
  | "trips/first-night-outside.html"
  | "trips/glacier-course.html"
  | "trips/huts-of-the-tatra.html"
  | "trips/karst-and-caves.html"
  | "trips/light-of-lofoten.html"
  | "trips/map-and-compass-weekend.html"
  | "trips/mending-walk.html"
  | "trips/photographers’-dawn.html"
  | "trips/ridges-above-larkfell.html"
  | "trips/ropes-for-beginners.html"
  | "trips/sierra-in-spring.html"
  | "trips/snowshoes-in-jämtland.html"
  | "unavailable.html"
  | "winter/"
  | "winter/avalanche-basics.html"
  | "winter/boots-in-frost.html"
  | "winter/fuel-for-a-week.html"
  | "winter/layers-that-breathe.html"
  | "winter/planning-short-days.html"
  | "winter/snow-shelters.html";

/** What a client is made for: createClient<Site>(). */
export interface Site {
  objects: {
    resources: {
      record: Resource;
      key: number;
      filter: "id" | "parent" | "published" | "deleted" | "context_key" | "template" | "alias" | "class_key" | "hidemenu" | "isfolder" | "menuindex";
      sort: "id" | "menuindex" | "pagetitle" | "createdon" | "editedon" | "publishedon";
      relations: {
        parent: { object: "resources"; list: false; fields: "id" | "pagetitle" | "alias" | "uri" | "parent" };
        children: { object: "resources"; list: true; fields: "id" | "pagetitle" | "alias" | "uri" | "parent" | "menuindex" | "hidemenu" | "published" };
        ancestors: { object: "resources"; list: true; fields: "id" | "pagetitle" | "alias" | "uri" | "parent" | "menutitle" | "hidemenu" };
        translations: { object: "translations"; list: true; fields: "context" | "language" | "id" | "uri" | "url" };
      };
      required: "pagetitle";
      immutable: "id" | "createdon" | "createdby" | "editedon" | "editedby" | "deletedon";
      can: "read" | "create" | "update" | "delete";
    };
    contexts: {
      record: ContextsRecord;
      key: string;
      filter: "key";
      sort: "key" | "name" | "rank";
      relations: Record<never, never>;
      required: never;
      immutable: never;
      can: "read";
    };
    chunks: {
      record: ChunksRecord;
      key: number;
      filter: "name" | "category";
      sort: "id" | "name";
      relations: {
        category: { object: "categories"; list: false; fields: "id" | "parent" | "category" | "rank" };
      };
      required: never;
      immutable: never;
      can: "read";
    };
    templates: {
      record: TemplatesRecord;
      key: number;
      filter: "templatename" | "category" | "locked";
      sort: "id" | "templatename" | "category";
      relations: {
        category: { object: "categories"; list: false; fields: "id" | "parent" | "category" | "rank" };
      };
      required: never;
      immutable: never;
      can: "read";
    };
    snippets: {
      record: SnippetsRecord;
      key: number;
      filter: "name" | "category" | "locked";
      sort: "id" | "name" | "category";
      relations: {
        category: { object: "categories"; list: false; fields: "id" | "parent" | "category" | "rank" };
      };
      required: never;
      immutable: never;
      can: "read";
    };
    tvs: {
      record: TvsRecord;
      key: number;
      filter: "name" | "type" | "category" | "locked";
      sort: "id" | "name" | "rank" | "category";
      relations: {
        category: { object: "categories"; list: false; fields: "id" | "parent" | "category" | "rank" };
      };
      required: never;
      immutable: never;
      can: "read";
    };
    categories: {
      record: CategoriesRecord;
      key: number;
      filter: "parent" | "category";
      sort: "id" | "category" | "rank" | "parent";
      relations: {
        parent: { object: "categories"; list: false; fields: "id" | "parent" | "category" | "rank" };
      };
      required: never;
      immutable: never;
      can: "read";
    };
    content_types: {
      record: ContentTypesRecord;
      key: number;
      filter: "name" | "mime_type" | "binary";
      sort: "id" | "name";
      relations: Record<never, never>;
      required: never;
      immutable: never;
      can: "read";
    };
    translations: {
      record: { context: string; language: string; id: number; uri: string; url: string };
      key: number;
      filter: never;
      sort: never;
      relations: Record<never, never>;
      required: never;
      immutable: never;
      can: never;
    };
  };
  /** Template variables that name resources */
  references: "relatedPage";
  sections: Sections;
  contexts: Contexts;
  uri: Uri;
}
