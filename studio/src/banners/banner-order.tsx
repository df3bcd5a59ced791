/** The banners of a position in their order, changed by dragging or with the keys. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import type { JsonObject } from '../api.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { nameOf, textOf } from './banner-view.js';
import { Picture } from './picture.js';

interface BannerOrderProps {
  readonly position: string;
  readonly rows: readonly JsonObject[];
  readonly reload: () => void;
}

export function BannerOrder({ position, rows, reload }: BannerOrderProps) {
  const t = texts.banners;
  const stored = rows.map((row) => textOf(row['id']));
  const [order, setOrder] = useState(stored);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<string | null>(null);
  const canOrder = useCommand('position order') !== undefined;
  const isChanged = order.join() !== stored.join();
  const move = (id: string, to: number): void => {
    if (to < 0 || to >= order.length || order.indexOf(id) === to) return;
    setOrder(order.filter((one) => one !== id).toSpliced(to, 0, id));
    setSaid(t.movedTo(nameOf(rows.find((row) => textOf(row['id']) === id) ?? {}), to + 1, order.length));
    moved.current = id;
  };
  // The moved element loses its focus with its place.
  useEffect(() => {
    list.current?.querySelector<HTMLElement>(`[data-id="${moved.current}"] .mover`)?.focus();
  }, [order]);
  const dragTo = (id: string, y: number): void => {
    const places = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const over = places.findIndex(({ top, bottom }) => y >= top && y < bottom);
    if (over >= 0) move(id, over);
  };
  return (
    <>
      <ol ref={list} class="order" aria-label={t.orderOf}>
        {order.map((id, index) => {
          const row = rows.find((one) => textOf(one['id']) === id) ?? {};
          return (
            <li key={id} data-id={id} class={row['shown'] === true ? 'shown' : undefined}>
              {canOrder ? (
                <button
                  type="button"
                  class="small mover"
                  aria-label={t.move(nameOf(row))}
                  title={t.moveHelp}
                  onKeyDown={(event) => {
                    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                    if (step === undefined) return;
                    event.preventDefault();
                    move(id, index + step);
                  }}
                  onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
                  onPointerMove={(event) => {
                    if (event.currentTarget.hasPointerCapture(event.pointerId)) dragTo(id, event.clientY);
                  }}
                >
                  ⠿
                </button>
              ) : null}
              <Picture address={textOf(row['current_image'])} />
              <div>
                <a href={linkTo('banners', 'banner', id)}>{nameOf(row)}</a>
                <br />
                <span class={row['shown'] === true ? 'state good' : 'state'}>
                  {row['shown'] === true ? t.isShown : t.notShown}
                </span>{' '}
                <span class="help">{textOf(row['reason'])}</span>
              </div>
              <Weight position={position} row={row} reload={reload} />
              <CommandButton
                path="position unlink"
                given={{ arguments: [position, id] }}
                label={texts.remove}
                kind="small"
                onDone={reload}
              />
            </li>
          );
        })}
      </ol>
      <p class="help" role="status">
        {said || (canOrder && rows.length > 1 ? t.moveHelp : '')}
      </p>
      {isChanged ? (
        <div class="actions">
          <CommandButton
            path="position order"
            given={{ arguments: [position, ...order] }}
            label={t.saveOrder}
            kind="primary"
            onDone={reload}
          />
          <button type="button" onClick={() => setOrder(stored)}>
            {texts.cancel}
          </button>
        </div>
      ) : null}
    </>
  );
}

interface WeightProps {
  readonly position: string;
  readonly row: JsonObject;
  readonly reload: () => void;
}

function Weight({ position, row, reload }: WeightProps) {
  const t = texts.banners;
  const stored = textOf(row['weight']);
  const [weight, setWeight] = useState(stored);
  return (
    <span class="row">
      <label class="check">
        {t.weight}
        <input
          type="text"
          inputMode="numeric"
          class="short"
          value={weight}
          onInput={({ currentTarget }) => setWeight(currentTarget.value)}
        />
      </label>
      {weight === stored ? null : (
        <CommandButton
          path="position link"
          given={{ arguments: [position, textOf(row['id'])], options: { weight } }}
          label={t.save}
          kind="small"
          onDone={reload}
        />
      )}
    </span>
  );
}
