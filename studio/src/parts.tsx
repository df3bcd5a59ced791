/** Parts that every view is made of. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunError } from './api.js';
import { texts } from './texts.js';
import type { Performing } from './use-run.js';

interface NoticeProps {
  readonly kind?: 'good' | 'bad' | 'plain';
  readonly children: ComponentChildren;
}

export function Notice({ kind = 'plain', children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

interface ErrorNoticeProps {
  readonly error: RunError | null;
  readonly retry?: () => void;
  /** What a command calls the fields that are shown; their problems stand beside them. */
  readonly shown?: readonly string[];
}

export function ErrorNotice({ error, retry, shown = [] }: ErrorNoticeProps) {
  if (error === null) return null;
  const fields = Object.keys(error.fields);
  const isBeside = fields.length > 0 && fields.every((one) => shown.includes(one));
  return (
    <Notice kind="bad">
      <p>{isBeside ? texts.seeFields : error.message}</p>
      {retry && (
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

export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <button type="button" class="small" onClick={copy} onBlur={() => setCopied(false)}>
      {isCopied ? texts.copied : texts.copy}
    </button>
  );
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

interface DialogProps {
  readonly title: string;
  /** Escape does it too. */
  readonly close: () => void;
  readonly closeLabel?: string;
  readonly children: ComponentChildren;
}

/**
 * After it the focus is where it was. It is closed before its element goes: what is outside an open dialog is inert
 * and takes no focus.
 */
export function Dialog({ title, close, closeLabel = texts.close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={close}>
      <div class="bar">
        <h2 id={id}>{title}</h2>
        <button type="button" class="small" onClick={close}>
          {closeLabel}
        </button>
      </div>
      {children}
    </dialog>
  );
}

interface DialogButtonProps {
  readonly id?: string;
  readonly label: string;
  readonly kind?: 'primary' | 'small' | undefined;
  /** Of the dialog. */
  readonly title?: string;
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function DialogButton({ id, label, kind, title = label, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" {...{ id }} class={kind} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && <Dialog {...{ title, close }}>{children(close)}</Dialog>}
    </>
  );
}

interface Question {
  /** Null: nothing is asked. */
  readonly text: string | null;
  readonly answer: (isYes: boolean) => void;
}

/** Asks what a command asks on a terminal. Escape is no. */
export function ConfirmDialog({ text, answer }: Question) {
  if (text === null) return null;
  return (
    <Dialog title={texts.confirmTitle} close={() => answer(false)} closeLabel={texts.cancel}>
      <p class="question">{text}</p>
      <button type="button" class="danger" onClick={() => answer(true)}>
        {texts.confirm}
      </button>
    </Dialog>
  );
}

interface AskButtonProps {
  readonly label: string;
  readonly kind?: 'small';
  readonly question: string;
  readonly act: () => void;
}

/** Asks before it acts. */
export function AskButton({ label, kind, question, act }: AskButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const answer = (isYes: boolean): void => {
    setAsked(false);
    if (isYes) act();
  };
  return (
    <>
      <button type="button" class={kind} onClick={() => setAsked(true)}>
        {label}
      </button>
      <ConfirmDialog text={isAsked ? question : null} answer={answer} />
    </>
  );
}

interface OutcomeProps extends Pick<ErrorNoticeProps, 'shown'> {
  readonly of: Performing;
}

/** What a command asks or refuses. */
export function Outcome({ of: { error, question, answer }, ...rest }: OutcomeProps) {
  return (
    <>
      <ErrorNotice error={error} {...rest} />
      <ConfirmDialog text={question} answer={answer} />
    </>
  );
}
