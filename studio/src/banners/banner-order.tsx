/** The banners of a position in their order, changed by dragging or with the keys. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CommandButton, CommandDialog } from '../action.js';
import type { JsonObject } from '../api.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { Sortable } from '../sortable.js';
import { texts } from '../texts.js';
import { State, textOf } from '../values.js';
import { nameOf } from './banner-view.js';
import { Picture } from './picture.js';

interface BannerOrderProps {
  readonly position: string;
  readonly rows: readonly JsonObject[];
}

export function BannerOrder({ position, rows }: BannerOrderProps) {
  const t = texts.banners;
  const stored = rows.map((row) => textOf(row['id']));
  const [order, setOrder] = useState<readonly string[]>(stored);
  const canOrder = useCommand('position order') !== undefined;
  const isChanged = order.join() !== stored.join();
  const rowOf = (id: string): JsonObject => rows.find((row) => textOf(row['id']) === id) ?? {};
  return (
    <>
      <Sortable
        label={t.orderOf}
        items={order}
        keyOf={(id) => id}
        labelOf={(id) => nameOf(rowOf(id))}
        change={canOrder ? setOrder : undefined}
      >
        {(id, _at, handle) => <OrderedBanner {...{ handle, position }} row={rowOf(id)} />}
      </Sortable>
      {canOrder && rows.length > 1 ? <p class="help">{texts.moveHelp}</p> : null}
      {isChanged ? (
        <div class="actions">
          <CommandButton
            path="position order"
            given={{ arguments: [position, ...order] }}
            label={t.saveOrder}
            kind="primary"
          />
          <button type="button" onClick={() => setOrder(stored)}>
            {texts.cancel}
          </button>
        </div>
      ) : null}
    </>
  );
}

interface BannerProps extends Omit<BannerOrderProps, 'rows'> {
  readonly row: JsonObject;
  readonly handle: ComponentChildren;
}

function OrderedBanner({ handle, position, row }: BannerProps) {
  const id = textOf(row['id']);
  const weight = textOf(row['weight']);
  return (
    <div class="card file">
      {handle}
      <Picture address={textOf(row['current_image'])} />
      <div class="grow">
        <a href={linkTo('banners', 'banner', id)}>{nameOf(row)}</a>
        <br />
        <State of={row['shown'] === true ? 'shown' : 'not_shown'} /> <span class="help">{textOf(row['reason'])}</span>
      </div>
      <CommandDialog
        path="position link"
        label={`${texts.banners.weight} ${weight}`}
        kind="small"
        initial={{ POSITION: position, BANNER: id, weight }}
        hidden={['POSITION', 'BANNER', 'idx']}
        submit={texts.save}
      />
      <CommandButton path="position unlink" given={{ arguments: [position, id] }} label={texts.remove} kind="small" />
    </div>
  );
}
