/** Parts that every view is made of. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunError } from './api.js';
import { texts } from './texts.js';

export function Notice({
  kind,
  children,
}: {
  readonly kind: 'good' | 'bad' | 'plain';
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

interface ErrorNoticeProps {
  readonly error: RunError;
  readonly retry?: () => void;
  /** What a command calls the fields that are shown; their problems stand beside them. */
  readonly shown?: readonly string[];
}

export function ErrorNotice({ error, retry, shown = [] }: ErrorNoticeProps) {
  const fields = Object.keys(error.fields);
  const isBeside = fields.length > 0 && fields.every((one) => shown.includes(one));
  return (
    <Notice kind="bad">
      <p>{isBeside ? texts.seeFields : error.message}</p>
      {retry === undefined ? null : (
        <button type="button" onClick={retry}>
          {texts.retry}
        </button>
      )}
    </Notice>
  );
}

export function Busy({ text = texts.loading }: { readonly text?: string }) {
  return (
    <p class="busy" role="status">
      {text}
    </p>
  );
}

export function CopyButton({ text, label = texts.copy }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" class="small" onClick={copy} onBlur={() => setCopied(false)}>
      {isCopied ? texts.copied : label}
    </button>
  );
}

interface Question {
  readonly text: string;
  readonly answer: (isYes: boolean) => void;
}

/**
 * Opens a dialog; after it the focus is where it was. It is closed before its element goes: what is outside an open
 * dialog is inert and takes no focus.
 */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return dialog;
}

/** Asks what a command asks on a terminal. Escape is no. */
export function ConfirmDialog({ text, answer }: Question) {
  const dialog = useModal();
  const title = useId();
  return (
    <dialog ref={dialog} aria-labelledby={title} onCancel={() => answer(false)}>
      <h2 id={title}>{texts.confirmTitle}</h2>
      <p class="question">{text}</p>
      <div class="actions">
        <button type="button" onClick={() => answer(false)}>
          {texts.cancel}
        </button>
        <button type="button" class="danger" onClick={() => answer(true)}>
          {texts.confirm}
        </button>
      </div>
    </dialog>
  );
}

/** What is said of a control. */
export interface FieldText {
  readonly label: string;
  readonly help?: string | undefined;
  readonly required?: boolean;
  readonly problems: readonly string[];
}

interface FieldProps extends FieldText {
  readonly id: string;
  readonly children: ComponentChildren;
}

/** A label, a control with this id, its help and its problems. */
export function Field({ id, label, help, required = false, problems, children }: FieldProps) {
  return (
    <div class={problems.length > 0 ? 'field wrong' : 'field'}>
      <label for={id}>
        {label}
        {required ? <span class="required"> ({texts.required})</span> : null}
      </label>
      {children}
      {help === undefined ? null : (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      <Problems id={`${id}-problem`} problems={problems} />
    </div>
  );
}

export function describedBy(id: string, { help, problems }: Pick<FieldText, 'help' | 'problems'>): string {
  return [...(help === undefined ? [] : [`${id}-help`]), ...(problems.length > 0 ? [`${id}-problem`] : [])].join(' ');
}

/** What may be wider or higher than its place; the keyboard scrolls it too. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

export function Problems({ id, problems }: { readonly id?: string; readonly problems: readonly string[] }) {
  return (
    <>
      {problems.map((problem) => (
        <p class="problem" id={id} role="alert">
          {problem}
        </p>
      ))}
    </>
  );
}

/** Several controls with one name. */
export function FieldGroup({ label, help, required = false, problems, children }: Omit<FieldProps, 'id'>) {
  return (
    <fieldset class={problems.length > 0 ? 'field wrong' : 'field'}>
      <legend>
        {label}
        {required ? <span class="required"> ({texts.required})</span> : null}
      </legend>
      {children}
      {help === undefined ? null : <p class="help">{help}</p>}
      <Problems problems={problems} />
    </fieldset>
  );
}

interface SwitchProps extends FieldText {
  readonly isOn: boolean;
  readonly change: (isOn: boolean) => void;
}

export function Switch({ label, help, isOn, problems, change }: SwitchProps) {
  const id = useId();
  return (
    <div class={problems.length > 0 ? 'field switch wrong' : 'field switch'}>
      <input id={id} type="checkbox" checked={isOn} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      <label for={id}>
        {label} <span class="help">{help}</span>
      </label>
      <Problems problems={problems} />
    </div>
  );
}
