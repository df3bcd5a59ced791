/** Writes and publishes the pages of the site. */
import { Busy, ErrorNotice, Notice } from '../parts.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import type { TypeView } from './page-document.js';
import { PageEditor } from './page-editor.js';
import { PageList } from './page-list.js';

/** `id` is that of the opened resource. */
export function PagesRoom({ id }: { readonly id: string | undefined }) {
  const { result, error, reload } = useRun('section-type list', {});
  const opened = id !== undefined && /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null;
  if (id !== undefined && opened === null) return <Notice kind="bad">{texts.notFound}</Notice>;
  const types = new Map(((result?.data ?? []) as unknown as readonly TypeView[]).map((type) => [type.key, type]));
  return (
    <div class="columns pages">
      <PageList current={opened} />
      {error === null ? null : <ErrorNotice error={error} retry={reload} />}
      {result === null && error === null ? <Busy /> : null}
      {opened === null ? <p>{texts.writing.start}</p> : null}
      {result === null || opened === null ? null : <PageEditor key={opened} id={opened} types={types} />}
    </div>
  );
}
