/** A list whose rows are moved with the mouse, a finger or, on their handles, with the arrow keys. */
import type { ComponentChildren, TargetedPointerEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill, texts } from './texts.js';

interface SortableProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T, at: number) => string;
  readonly labelOf: (item: T, at: number) => string;
  readonly change: ((items: readonly T[]) => void) | undefined;
  readonly label?: string;
  readonly children: (item: T, at: number, handle: ComponentChildren) => ComponentChildren;
}

/** Pixels at the upper and lower end of the window, where each move of a dragged row scrolls it by some. */
const [edge, step] = [50, 10];

export function Sortable<T>({ items, keyOf, labelOf, change, label, children }: SortableProps<T>) {
  const list = useRef<HTMLOListElement>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const moved = useRef<number | null>(null);
  // A moved element loses the focus.
  useLayoutEffect(() => {
    if (moved.current !== null) list.current?.children[moved.current]?.querySelector('button')?.focus();
    moved.current = null;
  });
  const go = (from: number, to: number): void => {
    const item = items[from];
    if (item === undefined || change === undefined || to < 0 || to >= items.length || to === from) return;
    moved.current = to;
    setSaid(fill(texts.movedTo, labelOf(item, from), to + 1, items.length));
    change(items.toSpliced(from, 1).toSpliced(to, 0, item));
  };
  const rowUnder = ({ clientX, clientY }: PointerEvent): number | null => {
    const under = document.elementFromPoint(clientX, clientY);
    const at = [...(list.current?.children ?? [])].findIndex((row) => row.contains(under));
    return at < 0 ? null : at;
  };
  // A quick finger moves and leaves before the page is drawn again: the pointer is asked. Dragging, it does not scroll.
  const isHeld = ({ currentTarget, pointerId }: TargetedPointerEvent<HTMLButtonElement>) =>
    currentTarget.hasPointerCapture(pointerId);
  const handle = (item: T, at: number) =>
    change && (
      <button
        type="button"
        class="handle small"
        aria-label={fill(texts.move, labelOf(item, at))}
        title={texts.moveHelp}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (!isHeld(event)) return;
          scrollBy(0, event.clientY < edge ? -step : event.clientY > innerHeight - edge ? step : 0);
          setOver(rowUnder(event));
        }}
        onPointerUp={(event) => isHeld(event) && go(at, rowUnder(event) ?? at)}
        onLostPointerCapture={() => setOver(null)}
        onKeyDown={(event) => {
          const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
          if (way === undefined) return;
          event.preventDefault();
          go(at, at + way);
        }}
      >
        ⠿
      </button>
    );
  return (
    <>
      <ol class="sortable" ref={list} aria-label={label}>
        {items.map((item, at) => (
          <li key={keyOf(item, at)} class={over === at ? 'over' : undefined}>
            {children(item, at, handle(item, at))}
          </li>
        ))}
      </ol>
      <p class="help" role="status">
        {said}
      </p>
    </>
  );
}
