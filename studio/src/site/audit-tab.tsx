/** The audit log, a page at a time, with its filters. */
import { CommandButton } from '../action.js';
import { ListView } from '../list-view.js';
import { Notice } from '../parts.js';
import { texts } from '../texts.js';
import { Badge, type Columns } from '../values.js';

const turnOn = { arguments: ['gateway_audit_enabled', '1'] };

const columns: Columns = [
  ...['created_on', 'identity', 'method'],
  { name: 'path', show: ({ path }) => <code class="address">{String(path)}</code> },
  {
    name: 'status',
    show: ({ status }) => <Badge kind={Number(status) < 400 ? 'good' : 'bad'} text={String(status)} />,
  },
  ...['duration_ms', 'request_id'],
];

export function AuditTab() {
  const words = texts.site.audit;
  return (
    <>
      <h1>{texts.site.tabs.audit}</h1>
      <ListView
        path="audit list"
        label={texts.site.tabs.audit}
        columns={columns}
        filters={['since', 'identity', 'method', 'status', 'request-id']}
      >
        {({ notes }) =>
          notes.length === 0 ? null : (
            <Notice kind="plain">
              <p>{words.isOff}</p>
              <CommandButton path="setting set" given={turnOn} label={words.turnOn} />
            </Notice>
          )
        }
      </ListView>
    </>
  );
}
