/** A draft while it is written: saved soon after each change, and never over the work of others. */
import { type JsonObject, type RunError, type RunInput, run, toRunError } from '../api.js';
import { emptyDocument, type PageDocument, type PageRecord, type ResourceView } from './page-document.js';

export type SaveState = 'loading' | 'saved' | 'waiting' | 'saving' | 'refused' | 'failed' | 'conflict';

/** Milliseconds without a change. */
const pause = 800;
/** Milliseconds until a server that did not answer is asked again. */
const patience = 5000;

interface Performed {
  readonly words?: readonly string[];
  /** Asked for after what was typed is saved, which makes another revision. */
  readonly options?: () => RunInput['options'];
  /** The command makes another draft. */
  readonly replaces?: boolean;
}

interface Stored {
  readonly page: PageRecord | null;
  readonly document: PageDocument;
}

export class DraftSession {
  readonly id: number;
  resource: ResourceView | null = null;
  /** Null: there is no page document yet. */
  page: PageRecord | null = null;
  document: PageDocument = emptyDocument;
  state: SaveState = 'loading';
  error: RunError | null = null;
  /** By path, such as `sections[0].data.title`. */
  problems: Readonly<Record<string, readonly string[]>> = {};
  /** What a command says beside its result. */
  notes: readonly string[] = [];
  /** What another person saved in between. */
  theirs: Stored | null = null;
  /** The version that was not chosen; it can be taken back. */
  aside: PageDocument | null = null;
  /** Another one whenever the document comes from elsewhere than the form. */
  version = 0;
  /** Called after each change. */
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

  async load(): Promise<void> {
    this.#show({ state: 'loading', error: null });
    try {
      const fields = 'id,pagetitle,uri,context_key,parent,template,published';
      const { data } = await run('resource show', { arguments: [String(this.id)], options: { fields } });
      this.resource = data as unknown as ResourceView;
      this.#take(await this.#read());
      this.#show({ state: 'saved' });
    } catch (error) {
      this.#show({ state: 'failed', error: toRunError(error) });
    }
  }

  change(document: PageDocument): void {
    this.document = document;
    // Nothing is saved before it is decided whose version it is.
    const isOpen = this.state !== 'conflict';
    this.#show(isOpen ? { state: 'waiting' } : {});
    if (isOpen) this.#later(pause);
  }

  /** True when the command line has what the page shows. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer);
    while (this.#saving !== null) await this.#saving;
    if (this.state === 'conflict') return false;
    if (this.isDirty) {
      this.#saving = this.#send().finally(() => {
        this.#saving = null;
      });
      await this.#saving;
    }
    return !this.isDirty;
  }

  /** A command that changes the page, after what was typed is saved. */
  async perform(path: string, given: Performed = {}): Promise<boolean> {
    if (!(await this.save())) return false;
    try {
      const words = [String(this.id), ...(given.words ?? [])];
      const { notes } = await run(path, { arguments: words, options: given.options?.() ?? {} });
      const said = notes;
      const stored = await this.#read();
      if (given.replaces === true) {
        this.aside = this.document;
        this.#take(stored);
      }
      this.page = stored.page;
      this.notes = said;
      this.#show({ state: 'saved', error: null, problems: {} });
      return true;
    } catch (error) {
      await this.#refuse(toRunError(error));
      return false;
    }
  }

  keepMine(): void {
    if (this.theirs === null) return;
    this.page = this.theirs.page;
    this.aside = this.theirs.document;
    this.theirs = null;
    this.#show({ state: 'waiting' });
    void this.save();
  }

  takeTheirs(): void {
    if (this.theirs === null) return;
    this.aside = this.document;
    this.#take(this.theirs);
    this.theirs = null;
    this.#show({ state: 'saved', error: null, problems: {} });
  }

  /** Exchanges the version that is kept aside with the one in the form. */
  swap(): void {
    if (this.aside === null) return;
    const other = this.aside;
    this.aside = this.document;
    this.version += 1;
    this.change(other);
  }

  forgetAside(): void {
    this.aside = null;
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
    this.#show({ state: 'saving' });
    try {
      const options = { revision: this.page?.revision ?? 0 };
      const { data } = await run('page edit', { arguments: [String(this.id)], options, input: JSON.stringify(sent) });
      this.page = data as unknown as PageRecord;
      this.#saved = sent;
      const isLast = this.document === sent;
      this.#show({ state: isLast ? 'saved' : 'waiting', error: null, problems: {} });
      if (!isLast) this.#later(pause);
    } catch (error) {
      await this.#refuse(toRunError(error));
    }
  }

  async #refuse(error: RunError): Promise<void> {
    const fields = Object.entries(error.fields).map(([path, said]) => [path, said.map(withoutPlace)] as const);
    const problems = Object.fromEntries(fields);
    if (error.code === 'conflict') {
      try {
        const stored = await this.#read();
        // An answer of ours was lost on its way.
        if (JSON.stringify(stored.document) === JSON.stringify(this.document)) {
          this.page = stored.page;
          this.#saved = this.document;
          return this.#show({ state: 'saved', error: null, problems: {} });
        }
        this.theirs = stored;
        return this.#show({ state: 'conflict', error: null });
      } catch {
        // The next attempt meets the conflict again.
      }
    }
    if (error.code === 'validation_failed') return this.#show({ state: 'refused', error, problems });
    this.#show({ state: 'failed', error });
    if (error.code === 'unreachable' && this.isDirty) this.#later(patience);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.save(), ms);
  }

  #show(next: Partial<Pick<DraftSession, 'state' | 'error' | 'problems'>>): void {
    Object.assign(this, next);
    this.changed();
  }
}

/** `is required to publish (hero section 0f3c…)`: it stands beside its field. */
function withoutPlace(problem: string): string {
  return problem.replace(/ \([\w-]+ section(?: [0-9a-f]{32})?\)$/, '');
}
