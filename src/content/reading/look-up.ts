/** Values by key. Those that are asked for and not known are looked up together. */
export class LookUp<Value> {
  readonly #known = new Map<string, Value | null>();
  #missing = new Set<string>();

  /** Undefined until it was looked up, null for none. */
  get(key: string): Value | null | undefined {
    const value = this.#known.get(key);
    if (value === undefined) this.#missing.add(key);
    return value;
  }

  set(key: string, value: Value): void {
    this.#known.set(key, value);
  }

  takeMissing(): readonly string[] {
    const missing = [...this.#missing];
    for (const key of missing) this.#known.set(key, null);
    this.#missing = new Set();
    return missing;
  }
}
