/** Commands that change something, as buttons and dialogs. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { RunInput, RunResult } from './api.js';
import { CommandForm } from './command-form.js';
import type { FieldValue } from './parameter-field.js';
import { ConfirmDialog, CopyButton, ErrorNotice, Notice, useModal } from './parts.js';
import { useCommand } from './site.js';
import { texts } from './texts.js';
import { usePerform } from './use-run.js';

interface CommandButtonProps {
  readonly path: string;
  readonly given?: RunInput;
  readonly label: string;
  readonly kind?: 'primary' | 'danger' | 'small';
  readonly disabled?: boolean;
  readonly onDone?: (result: RunResult) => void;
}

/** Not there where the command is not offered. */
export function CommandButton({ path, given = {}, label, kind, disabled = false, onDone }: CommandButtonProps) {
  const { perform, isRunning, error, question, answer } = usePerform(path, onDone);
  if (useCommand(path) === undefined) return null;
  return (
    <>
      <button type="button" class={kind} disabled={disabled || isRunning} onClick={() => perform(given)}>
        {label}
      </button>
      {question === null ? null : <ConfirmDialog text={question} answer={answer} />}
      {error === null ? null : <ErrorNotice error={error} />}
    </>
  );
}

interface CommandDialogProps {
  readonly path: string;
  readonly label: string;
  readonly kind?: 'primary' | 'small';
  /** By name of argument and flag; these are filled in. */
  readonly initial?: Readonly<Record<string, FieldValue>>;
  /** Arguments and flags that are not shown, with `initial` for their values. */
  readonly hidden?: readonly string[];
  /** Flags that stand above the optional ones. */
  readonly first?: readonly string[];
  /** Of the button of the form. */
  readonly submit?: string;
  /** The dialog closes. Default: it stays open with the result. */
  readonly onDone?: (result: RunResult) => void;
}

/** A button that opens the form of a command. Not there where the command is not offered. */
export function CommandDialog({ path, label, kind, onDone, ...form }: CommandDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const command = useCommand(path);
  if (command === undefined) return null;
  const finish = (result: RunResult): void => {
    setOpen(false);
    onDone?.(result);
  };
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen ? (
        <Dialog title={label} close={() => setOpen(false)}>
          <CommandForm command={command} {...form} {...(onDone && { onDone: finish })} />
        </Dialog>
      ) : null}
    </>
  );
}

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useModal();
  const id = useId();
  return (
    <dialog ref={dialog} class="wide" aria-labelledby={id} onCancel={close}>
      <div class="bar">
        <h2 id={id}>{title}</h2>
        <button type="button" class="small" onClick={close}>
          {texts.close}
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** A secret is shown once. */
export function SecretNotice({ secret }: { readonly secret: string }) {
  return (
    <Notice kind="good">
      <p>{texts.secretOnce}</p>
      <div class="line">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
    </Notice>
  );
}
