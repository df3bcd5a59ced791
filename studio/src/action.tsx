/** Commands that change something, as buttons and dialogs. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { isObject, type RunInput, type RunResult } from './api.js';
import { CommandForm } from './command-form.js';
import type { FieldValue, FieldView } from './parameter-field.js';
import { ConfirmDialog, CopyButton, ErrorNotice, useModal } from './parts.js';
import { useCommand } from './site.js';
import { texts } from './texts.js';
import { usePerform } from './use-run.js';

interface CommandButtonProps {
  readonly path: string;
  readonly given?: RunInput;
  /** Default: the summary of the command. */
  readonly label?: string;
  readonly kind?: 'primary' | 'danger' | 'small';
  readonly disabled?: boolean;
  readonly onDone?: (result: RunResult) => void;
}

/** Not there where the command is not offered. */
export function CommandButton({ path, given = {}, label, kind, disabled = false, onDone }: CommandButtonProps) {
  const { perform, isRunning, error, question, answer } = usePerform(path, (result) => {
    announceSecret(result);
    onDone?.(result);
  });
  const command = useCommand(path);
  if (command === undefined) return null;
  return (
    <>
      <button type="button" class={kind} disabled={disabled || isRunning} onClick={() => perform(given)}>
        {label ?? command.summary}
      </button>
      {question === null ? null : <ConfirmDialog text={question} answer={answer} />}
      {error === null ? null : <ErrorNotice error={error} />}
    </>
  );
}

interface CommandDialogProps extends Pick<CommandButtonProps, 'path' | 'label' | 'onDone'> {
  readonly kind?: 'primary' | 'small';
  /** Of the dialog. Default: the label. */
  readonly title?: string;
  /** By name of argument and flag; these are filled in. */
  readonly initial?: Readonly<Record<string, FieldValue>>;
  /** Arguments and flags that are not shown, with `initial` for their values. */
  readonly hidden?: readonly string[];
  /** Flags that stand above the optional ones. */
  readonly first?: readonly string[];
  /** What is known of an argument or flag beside its definition. */
  readonly known?: Readonly<Record<string, Partial<FieldView>>>;
  /** Of the button of the form. */
  readonly submit?: string;
}

/** A button that opens the form of a command. Not there where the command is not offered. */
export function CommandDialog({ path, label, title, kind, onDone, ...form }: CommandDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const command = useCommand(path);
  if (command === undefined) return null;
  const shown = label ?? command.summary;
  const finish = (result: RunResult): void => {
    setOpen(false);
    announceSecret(result);
    onDone?.(result);
  };
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {shown}
      </button>
      {isOpen ? (
        <Dialog title={title ?? shown} close={() => setOpen(false)}>
          <CommandForm command={command} submit={shown} {...form} onDone={finish} />
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

const secretEvent = 'studio-secret';

/** The secret in the result of a command. */
function secretOf({ data }: RunResult): string | null {
  if (!isObject(data)) return null;
  const { secret, client_secret: ofClient, key, lookup_id: isKey, password, token, url } = data;
  // A setting has a key that is no secret; the address of a preview holds its token.
  const found = [
    secret,
    ofClient,
    isKey === undefined ? null : key,
    password,
    token === undefined ? null : (url ?? token),
  ];
  return found.find((one) => typeof one === 'string') ?? null;
}

function announceSecret(result: RunResult): void {
  const detail = secretOf(result);
  if (detail !== null) dispatchEvent(new CustomEvent<string>(secretEvent, { detail }));
}

/** A secret is shown once, and stays while what stands behind it is read again. */
export function SecretDialog() {
  const [secret, setSecret] = useState<string | null>(null);
  useEffect(() => {
    const show = (event: Event): void => {
      if (event instanceof CustomEvent) setSecret(event.detail);
    };
    addEventListener(secretEvent, show);
    return () => removeEventListener(secretEvent, show);
  }, []);
  return secret === null ? null : (
    <Dialog title={texts.secret} close={() => setSecret(null)}>
      <p>{texts.secretOnce}</p>
      <div class="line">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
    </Dialog>
  );
}
