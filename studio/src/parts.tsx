/** Parts that every view is made of. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunError } from './api.js';
import { texts } from './texts.js';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'label' | 'type' | 'class' | 'onClick'> {
  readonly label: ComponentChildren;
  readonly kind?: string | undefined;
  readonly act: () => void;
}

export function Button({ label, kind, act, ...rest }: ButtonProps) {
  return (
    <button type="button" class={kind} onClick={() => act()} {...rest}>
      {label}
    </button>
  );
}

interface ChooseProps<T extends string> {
  readonly names: Readonly<Record<T, ComponentChildren>>;
  readonly value: T;
  readonly change: (value: T) => void;
  readonly kind?: 'small';
}

export function Choose<T extends string>({ names, value, change, kind }: ChooseProps<T>) {
  const all = Object.entries(names) as [T, ComponentChildren][];
  return all.map(([one, label]) => (
    <Button key={one} {...{ label, kind }} aria-pressed={one === value} act={() => change(one)} />
  ));
}

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
  readonly shown?: readonly string[] | undefined;
}

export function ErrorNotice({ error, retry, shown = [] }: ErrorNoticeProps) {
  if (error === null) return null;
  const fields = Object.keys(error.fields);
  const isBeside = fields.length > 0 && fields.every((one) => shown.includes(one));
  return (
    <Notice kind="bad">
      <p>{isBeside ? texts.seeFields : error.message}</p>
      {retry && <Button label={texts.retry} act={retry} />}
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
  const label = isCopied ? texts.copied : texts.copy;
  return <Button {...{ label, kind: 'small', act: copy }} onBlur={() => setCopied(false)} />;
}

/** A command line, or a secret. */
export function CopyLine({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <div class="line">
      {children}
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** After it the focus is where it was: it closes before its element goes, because the rest is inert until then. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Before the first field there is the button to close it.
    element?.querySelector<HTMLElement>('input, textarea, select')?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-label={title} onCancel={close}>
      <div class="bar">
        <h2>{title}</h2>
        <Button label={texts.close} kind="small" act={close} />
      </div>
      {children}
    </dialog>
  );
}

interface DialogButtonProps {
  readonly id?: string;
  readonly label: string;
  readonly kind?: 'primary' | 'small' | undefined;
  readonly title?: string;
  readonly children: (close: () => void) => ComponentChildren;
}

export function DialogButton({ id, label, kind, title = label, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button {...{ id, label, kind }} act={() => setOpen(true)} />
      {isOpen && <Dialog {...{ title, close }}>{children(close)}</Dialog>}
    </>
  );
}

interface QuestionProps {
  readonly question: string;
  readonly close: () => void;
  readonly act: () => void;
}

/** Escape is no. */
export function Question({ question, close, act }: QuestionProps) {
  const goOn = (): void => {
    close();
    act();
  };
  return (
    <Dialog title={texts.confirmTitle} close={close}>
      <p class="question">{question}</p>
      <Button label={texts.confirm} kind="danger" act={goOn} />
    </Dialog>
  );
}

interface AskButtonProps extends Omit<QuestionProps, 'close'> {
  readonly label: string;
  readonly kind?: 'small';
}

export function AskButton({ label, kind, ...asked }: AskButtonProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button {...{ label, kind }} act={() => setAsked(true)} />
      {isAsked && <Question {...asked} close={() => setAsked(false)} />}
    </>
  );
}
