/** Commands that change something, as buttons and dialogs. */
import { useState } from 'preact/hooks';
import { type RunResult, recordOf, useChanges, usePerform } from './api.js';
import { CommandForm, type CommandFormProps } from './command-form.js';
import { Button, CopyLine, Dialog, DialogButton } from './parts.js';
import { commandOf, linkTo, withEvents } from './site.js';
import { texts } from './texts.js';
import { textOf } from './values.js';

interface CommandButtonProps extends Pick<CommandFormProps, 'path' | 'words' | 'options' | 'onDone'> {
  readonly label?: string;
  readonly kind?: 'primary' | 'danger' | 'small' | undefined;
  readonly disabled?: boolean;
  readonly goesTo?: string;
}

/** Not there where the command is not offered. */
export function CommandButton({ path, words = [], options = {}, label, kind, disabled, ...next }: CommandButtonProps) {
  const { isRunning, outcome, perform } = usePerform(path, (result) => {
    if (next.goesTo !== undefined) location.hash = next.goesTo;
    next.onDone?.(result);
  });
  const command = commandOf(path);
  if (command === undefined) return null;
  return (
    <>
      <Button
        {...{ label: label ?? command.summary, kind }}
        disabled={disabled || isRunning}
        act={() => perform({ arguments: words, options: { ...withEvents(command), ...options } })}
      />
      {outcome()}
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
  return (
    <DialogButton label={shown} title={title ?? shown} kind={kind}>
      {(close) => (
        <CommandForm
          {...{ submit: form.stored ? texts.save : shown, ...form }}
          onDone={(result) => {
            close();
            onDone?.(result);
          }}
        />
      )}
    </DialogButton>
  );
}

export function openMade(...words: readonly string[]) {
  return ({ data }: RunResult): void => {
    location.hash = linkTo(...words, textOf(recordOf(data)['id']));
  };
}

function secretOf({ data }: RunResult): string | null {
  const { secret, client_secret: ofClient, key, lookup_id: isKey, password, token, url } = recordOf(data);
  // A setting has a key that is no secret; the address of a preview holds its token.
  const found = [secret, ofClient, isKey && key, password, token && (url ?? token)];
  return found.find((one) => typeof one === 'string') ?? null;
}

/** A secret is shown once, and stays while what stands behind it is read again. */
export function SecretDialog() {
  const [secret, setSecret] = useState<string | null>(null);
  useChanges(({ result }) => {
    const found = secretOf(result);
    // When the dialog of the form has given the focus back to its button.
    if (found !== null) setTimeout(() => setSecret(found));
  });
  return secret === null ? null : (
    <Dialog title={texts.secret} close={() => setSecret(null)}>
      <p>{texts.secretOnce}</p>
      <CopyLine text={secret} />
    </Dialog>
  );
}
