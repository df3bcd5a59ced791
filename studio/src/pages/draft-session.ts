/** A draft while it is written: saved soon after each change, and never over the work of others. */
import { type JsonObject, type RunError, run, toRunError } from '../api.js';
import { emptyDocument, type PageDocument, type PageRecord, type Types } from './page-document.js';

type SaveState = 'loading' | 'saved' | 'waiting' | 'saving' | 'refused' | 'failed' | 'conflict';

/** Milliseconds without a change, and until a server that did not answer is asked again. */
const [pause, patience] = [800, 5000];

/** What the parts of the editor of a page work on. */
export interface Editor {
  readonly draft: DraftSession;
  readonly types: Types;
  /** As `hcd resource show` gives it. */
  readonly resource: JsonObject;
  /** In the preview. */
  readonly show: (document: string, section?: string) => void;
}

type Stored = Readonly<Pick<DraftSession, 'page' | 'document'>>;

export class DraftSession {
  readonly id: number;
  page: PageRecord | null = null;
  document = emptyDocument;
  /** A second version, which can take the place of the first. */
  other: PageDocument | null = null;
  /** Of the other version, while it is not decided which one to go on with: another person saved it in between. */
  theirs: PageRecord | null = null;
  state: SaveState = 'loading';
  error: RunError | null = null;
  notes: readonly string[] = [];
  /** Another one whenever the document comes from elsewhere than the form. */
  version = 0;
  changed: () => void = () => undefined;
  #saved = emptyDocument;
  #timer: number | undefined;
  #saving = Promise.resolve();

  constructor(id: number) {
    this.id = id;
  }

  get isDirty(): boolean {
    return this.document !== this.#saved;
  }

  get problems(): RunError['fields'] {
    // `is required to publish (hero section 0f3c…)` stands beside its field.
    const place = / \([\w-]+ section(?: [0-9a-f]{32})?\)$/;
    const fields = Object.entries(this.error?.fields ?? {});
    return Object.fromEntries(fields.map(([path, said]) => [path, said.map((text) => text.replace(place, ''))]));
  }

  load(): Promise<void> {
    return this.#attempt('loading', async () => {
      const stored = await this.#read();
      // What is typed meanwhile stays.
      if (!this.isDirty) this.#take(stored);
    });
  }

  change(document: PageDocument): void {
    this.document = document;
    // Nothing is saved before it is decided whose version it is.
    if (this.theirs === null) this.#settle();
    this.changed();
  }

  /** True when everything typed is saved. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer);
    // One after another: each is based on the revision that the one before has made.
    this.#saving = this.#saving.then(async () => {
      if (this.theirs === null && this.isDirty) await this.#attempt('saving', () => this.#send());
    });
    await this.#saving;
    return !this.isDirty;
  }

  /** A command that changes the page, after what was typed is saved. */
  async perform(path: string, words: readonly string[] = [], options: JsonObject = {}): Promise<void> {
    if (!(await this.save())) return;
    await this.#attempt(this.state, async () => {
      const expected = path === 'page publish' && { revision: this.page?.revision ?? 0 };
      const given = { arguments: [String(this.id), ...words], options: { ...options, ...expected } };
      const { notes } = await run(path, given);
      const stored = await this.#read();
      if (path === 'page rollback') {
        this.other = this.document;
        this.#take(stored);
      }
      [this.page, this.notes] = [stored.page, notes];
    });
  }

  /** Goes on with the version in the form, or with the other one, which changes its place with it. */
  goOn(document: PageDocument): void {
    this.theirs = null;
    if (document !== this.document) {
      this.other = this.document;
      this.version += 1;
    }
    this.change(document);
  }

  forgetOther(): void {
    this.other = null;
    this.changed();
  }

  async #attempt(state: SaveState, work: () => Promise<void>): Promise<void> {
    // Problems stand until the next answer.
    this.state = state;
    this.changed();
    try {
      await work();
      this.error = null;
      this.#settle();
    } catch (error) {
      await this.#refuse(toRunError(error));
    }
    this.changed();
  }

  async #read(): Promise<Stored> {
    try {
      const { data, notes } = await run('page show', { arguments: [String(this.id)] });
      const { draft, ...page } = data as JsonObject;
      this.notes = notes;
      return { page: page as unknown as PageRecord, document: draft as unknown as PageDocument };
    } catch (error) {
      if (toRunError(error).code !== 'not_found') throw error;
      return { page: null, document: emptyDocument };
    }
  }

  #take({ page, document }: Stored): void {
    this.page = page;
    this.document = document;
    this.#saved = document;
    this.version += 1;
  }

  async #send(): Promise<void> {
    const { id, page, document } = this;
    const options = { revision: page?.revision ?? 0 };
    const { data } = await run('page edit', { arguments: [String(id)], options, input: JSON.stringify(document) });
    this.page = data as unknown as PageRecord;
    this.#saved = document;
  }

  async #refuse(error: RunError): Promise<void> {
    // What another person saved. Where it cannot be read, the next attempt meets the conflict again.
    const met = error.code === 'conflict' ? await this.#read().catch(() => null) : null;
    this.error = met === null ? error : null;
    if (met === null) {
      this.state = error.code === 'validation_failed' ? 'refused' : 'failed';
      if (error.code === 'unreachable' && this.isDirty) this.#later(patience);
      return;
    }
    this.page = met.page;
    // Else an answer of ours was lost on its way.
    const isOther = JSON.stringify(met.document) !== JSON.stringify(this.document);
    this.#saved = isOther ? met.document : this.document;
    if (isOther) [this.theirs, this.other] = [met.page, met.document];
    this.state = isOther ? 'conflict' : 'saved';
  }

  #settle(): void {
    this.state = this.isDirty ? 'waiting' : 'saved';
    if (this.isDirty) this.#later(pause);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.save(), ms);
  }
}
