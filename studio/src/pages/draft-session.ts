/** A draft while it is written: saved soon after each change, and never over the work of others. */
import { type JsonObject, type RunError, run, toRunError } from '../api.js';
import { emptyDocument, type PageDocument, type PageRecord } from './page-document.js';

type SaveState = 'loading' | 'saved' | 'waiting' | 'saving' | 'refused' | 'failed' | 'conflict';

/** Milliseconds without a change, and until a server that did not answer is asked again. */
const [pause, patience] = [800, 5000];

interface Stored {
  readonly page: PageRecord | null;
  readonly document: PageDocument;
}

export class DraftSession {
  readonly id: number;
  page: PageRecord | null = null;
  document: PageDocument = emptyDocument;
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
  #saved: PageDocument = emptyDocument;
  #timer: number | undefined;
  #saving: Promise<void> | null = null;

  constructor(id: number) {
    this.id = id;
  }

  get isDirty(): boolean {
    return this.document !== this.#saved;
  }

  get problems(): RunError['fields'] {
    const fields = Object.entries(this.error?.fields ?? {});
    return Object.fromEntries(fields.map(([path, said]) => [path, said.map(withoutPlace)]));
  }

  async load(): Promise<void> {
    this.#show('loading');
    try {
      const { document } = this;
      const stored = await this.#read();
      // What is typed meanwhile stays.
      if (document === this.document) this.#take(stored);
      this.#show(this.isDirty ? 'waiting' : 'saved');
    } catch (error) {
      this.#show('failed', toRunError(error));
    }
  }

  change(document: PageDocument): void {
    this.document = document;
    // Nothing is saved before it is decided whose version it is.
    if (this.theirs === null) {
      this.state = this.isDirty ? 'waiting' : 'saved';
      this.#later(pause);
    }
    this.changed();
  }

  /** True when everything typed is saved. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer);
    while (this.#saving !== null) await this.#saving;
    if (this.theirs !== null) return false;
    if (this.isDirty) {
      this.#saving = this.#send().finally(() => {
        this.#saving = null;
      });
      await this.#saving;
    }
    return !this.isDirty;
  }

  /** A command that changes the page, after what was typed is saved. */
  async perform(path: string, words: readonly string[] = [], options: JsonObject = {}): Promise<void> {
    if (!(await this.save())) return;
    try {
      const expected = path === 'page publish' && { revision: this.page?.revision ?? 0 };
      const given = { arguments: [String(this.id), ...words], options: { ...options, ...expected } };
      const { notes } = await run(path, given);
      const stored = await this.#read();
      if (path === 'page rollback') {
        this.other = this.document;
        this.#take(stored);
      }
      [this.page, this.notes] = [stored.page, notes];
      this.#show('saved');
    } catch (error) {
      await this.#refuse(toRunError(error));
    }
  }

  /** Goes on with the version in the form, or with the other one, which changes its place with it. */
  goOn(document: PageDocument): void {
    [this.page, this.theirs] = [this.theirs ?? this.page, null];
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
    const sent = this.document;
    this.#show('saving', this.error);
    try {
      const options = { revision: this.page?.revision ?? 0 };
      const { data } = await run('page edit', { arguments: [String(this.id)], options, input: JSON.stringify(sent) });
      this.page = data as unknown as PageRecord;
      this.#saved = sent;
      this.#show(this.isDirty ? 'waiting' : 'saved');
      if (this.isDirty) this.#later(pause);
    } catch (error) {
      await this.#refuse(toRunError(error));
    }
  }

  async #refuse(error: RunError): Promise<void> {
    if (error.code === 'conflict' && (await this.#meet())) return;
    this.#show(error.code === 'validation_failed' ? 'refused' : 'failed', error);
    if (error.code === 'unreachable' && this.isDirty) this.#later(patience);
  }

  /** Reads what another person saved. False: the next attempt meets the conflict again. */
  async #meet(): Promise<boolean> {
    try {
      const { page, document } = await this.#read();
      // An answer of ours was lost on its way.
      const isOurs = JSON.stringify(document) === JSON.stringify(this.document);
      this.#saved = isOurs ? this.document : document;
      if (isOurs) this.page = page;
      else [this.theirs, this.other] = [page, document];
      this.#show(isOurs ? 'saved' : 'conflict');
      return true;
    } catch {
      return false;
    }
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.save(), ms);
  }

  /** Problems stand until the next answer. */
  #show(state: SaveState, error: RunError | null = null): void {
    this.state = state;
    this.error = error;
    this.changed();
  }
}

/** `is required to publish (hero section 0f3c…)`: it stands beside its field. */
function withoutPlace(problem: string): string {
  return problem.replace(/ \([\w-]+ section(?: [0-9a-f]{32})?\)$/, '');
}
