/** Commands that change something, as buttons and dialogs. */
import { useState } from 'preact/hooks';
import { isObject, type RunInput, type RunResult, useChanges, usePerform } from './api.js';
import { CommandForm, type CommandFormProps } from './command-form.js';
import { Button, CopyButton, Dialog, DialogButton, Outcome } from './parts.js';
import { commandOf, linkTo, withEvents } from './site.js';
import { texts } from './texts.js';

interface CommandButtonProps {
  readonly path: string;
  readonly words?: readonly string[];
  readonly options?: RunInput['options'];
  readonly label?: string;
  readonly kind?: 'primary' | 'danger' | 'small' | undefined;
  readonly disabled?: boolean;
  readonly goesTo?: string;
  readonly onDone?: (result: RunResult) => void;
}

/** Not there where the command is not offered. */
export function CommandButton({ path, words = [], options = {}, label, kind, disabled, ...next }: CommandButtonProps) {
  const performing = usePerform(path, (result) => {
    if (next.goesTo !== undefined) location.hash = next.goesTo;
    next.onDone?.(result);
  });
  const command = commandOf(path);
  if (command === undefined) return null;
  return (
    <>
      <Button
        {...{ label: label ?? command.summary, kind }}
        disabled={disabled || performing.isRunning}
        act={() => performing.perform({ arguments: words, options: { ...withEvents(command), ...options } })}
      />
      <Outcome of={performing} />
    </>
  );
}

interface CommandDialogProps extends CommandFormProps {
  readonly label?: string;
  readonly kind?: 'primary' | 'small';
  readonly title?: string;
}

export function CommandDialog({ label, title, kind, onDone, ...form }: CommandDialogProps) {
  const command = commandOf(form.path);
  if (command === undefined) return null;
  const shown = label ?? command.summary;
  const finish = (close: () => void, result: RunResult): void => {
    close();
    onDone?.(result);
  };
  return (
    <DialogButton label={shown} title={title ?? shown} kind={kind}>
      {(close) => (
        <CommandForm
          {...{ submit: form.stored ? texts.save : shown, ...form }}
          onDone={(result) => finish(close, result)}
        />
      )}
    </DialogButton>
  );
}

export function openMade(...words: readonly string[]) {
  return ({ data }: RunResult): void => {
    location.hash = linkTo(...words, isObject(data) ? String(data['id']) : '');
  };
}

function secretOf({ data }: RunResult): string | null {
  if (!isObject(data)) return null;
  const { secret, client_secret: ofClient, key, lookup_id: isKey, password, token, url } = data;
  // A setting has a key that is no secret; the address of a preview holds its token.
  const found = [secret, ofClient, isKey && key, password, token && (url ?? token)];
  return found.find((one) => typeof one === 'string') ?? null;
}

/** A secret is shown once, and stays while what stands behind it is read again. */
export function SecretDialog() {
  const [secret, setSecret] = useState<string | null>(null);
  useChanges(({ result }) => {
    const found = secretOf(result);
    if (found !== null) setSecret(found);
  });
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
