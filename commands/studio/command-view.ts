/** What Studio's page gets of a command. Types only: the page is compiled for browsers. */

export interface ParameterView {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly kind: 'boolean' | 'integer' | 'text' | 'choice' | 'list' | 'duration' | 'time' | 'file';
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly placeholder: string | null;
  /** A noun phrase; null where the description says it. */
  readonly accepts: string | null;
  /** JSON Schema of a value, as far as the command knows it. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly choices: readonly string[];
  /** A value may be none of the choices. */
  readonly isOpen: boolean;
}

export interface CommandView {
  readonly path: string;
  /** What the commands of its group are for; null at the top. */
  readonly group: string | null;
  readonly summary: string;
  readonly description: string;
  readonly arguments: readonly ParameterView[];
  readonly options: readonly ParameterView[];
  readonly examples: readonly { readonly line: string; readonly text: string }[];
  readonly destructive: boolean;
  readonly reading: boolean;
  readonly input: { readonly label: string; readonly description: string; readonly required: boolean } | null;
}

export interface StudioAbout {
  readonly version: string;
  readonly read_only: boolean;
  readonly database: string;
  /** Path before the path of a picture in the media folder. */
  readonly pictures: string;
}
