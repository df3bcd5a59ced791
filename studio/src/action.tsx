/** Commands that change something, as buttons and dialogs. */
import { useState } from 'preact/hooks';
import { isObject, type RunInput, type RunResult } from './api.js';
import { CommandForm, type CommandFormProps } from './command-form.js';
import { Button, CopyButton, Dialog, DialogButton, Outcome } from './parts.js';
import { useCommand, withEvents } from './site.js';
import { texts } from './texts.js';
import { usePerform, useRan } from './use-run.js';

interface CommandButtonProps {
  readonly path: string;
  /** Arguments of the command. */
  readonly words?: readonly string[];
  readonly options?: RunInput['options'];
  /** Default: the summary of the command. */
  readonly label?: string;
  readonly kind?: 'primary' | 'danger' | 'small' | undefined;
  readonly disabled?: boolean;
  /** Where it leads when it is done. */
  readonly goesTo?: string;
  readonly onDone?: (result: RunResult) => void;
}

/** Not there where the command is not offered. */
export function CommandButton({ path, words = [], options = {}, label, kind, disabled, ...next }: CommandButtonProps) {
  const performing = usePerform(path, (result) => {
    if (next.goesTo !== undefined) location.hash = next.goesTo;
    next.onDone?.(result);
  });
  const command = useCommand(path);
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
  /** Default: the summary of the command. */
  readonly label?: string;
  readonly kind?: 'primary' | 'small';
  /** Of the dialog. Default: the label. */
  readonly title?: string;
}

/** A button that opens the form of a command. Not there where the command is not offered. */
export function CommandDialog({ label, title, kind, onDone, ...form }: CommandDialogProps) {
  const command = useCommand(form.path);
  if (command === undefined) return null;
  const shown = label ?? command.summary;
  const finish = (close: () => void, result: RunResult): void => {
    close();
    onDone?.(result);
  };
  return (
    <DialogButton label={shown} title={title ?? shown} kind={kind}>
      {(close) => <CommandForm submit={shown} {...form} onDone={(result) => finish(close, result)} />}
    </DialogButton>
  );
}

/** The secret in the result of a command. */
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
  useRan(({ result }) => {
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
