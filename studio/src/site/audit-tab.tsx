/** The audit log, a page at a time, with its filters. */
import { CommandButton } from '../action.js';
import type { JsonObject } from '../api.js';
import { Badge } from '../badge.js';
import { type Column, DataTable, Loaded, rowsOf } from '../data-table.js';
import { FilterBar, type FilterField, useFilter } from '../filter-bar.js';
import { Moment } from '../moment.js';
import { Notice } from '../parts.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';

const limit = 50;
const turnOn = { arguments: ['gateway_audit_enabled', '1'] };

export function AuditTab() {
  const filter = useFilter();
  const reading = useRun('audit list', { options: { ...filter.values, limit, offset: filter.offset } });
  const options = useCommand('audit list')?.options ?? [];
  const words = texts.site.audit;
  const fields: readonly FilterField[] = options.flatMap(({ name, choices, kind }) => {
    const titles: Readonly<Record<string, string>> = words.filters;
    const title = titles[name];
    if (title === undefined) return [];
    return [
      {
        name,
        title,
        ...(kind === 'choice' ? { choices: choices.map((one) => [one, one] as const) } : { proposals: choices }),
      },
    ];
  });
  return (
    <>
      <h1>{texts.site.tabs.audit}</h1>
      <FilterBar label={texts.site.find} fields={fields} filter={filter} />
      <Loaded of={reading}>
        {({ data, meta, notes }) => (
          <>
            {notes.length === 0 ? null : (
              <Notice kind="plain">
                <p>{words.isOff}</p>
                <CommandButton path="setting set" given={turnOn} label={words.turnOn} onDone={reading.reload} />
              </Notice>
            )}
            <DataTable
              label={texts.site.tabs.audit}
              columns={columns}
              rows={rowsOf(data)}
              total={meta?.total}
              offset={filter.offset}
              limit={limit}
              turn={filter.turn}
              empty={words.none}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

const columns: readonly Column[] = [
  { name: 'created_on', title: texts.site.audit.when, show: (row) => <Moment at={row['created_on']} /> },
  { name: 'identity', title: texts.site.audit.filters.identity },
  { name: 'method', title: texts.site.audit.filters.method },
  { name: 'path', title: texts.site.audit.path, show: ({ path }) => <code class="address">{String(path)}</code> },
  { name: 'status', title: texts.site.audit.filters.status, show: statusOf },
  { name: 'duration_ms', title: texts.site.audit.took, isNumber: true, show: (row) => `${row['duration_ms']} ms` },
  { name: 'request_id', title: texts.site.audit.filters['request-id'] },
];

function statusOf({ status }: JsonObject) {
  return <Badge kind={Number(status) < 400 ? 'good' : 'bad'} text={String(status)} />;
}
