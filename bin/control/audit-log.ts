/** The command that reads the audit log of staff and operators. */
import { type AuditEntry, auditLogList } from '@murmuration/contracts/admin'
import { type Commands, idOf, NONE } from './result.js'

const line = (one: AuditEntry): string =>
  `${one.id}  ${one.at}  ${one.actor ?? 'operator'}  ${one.action}  ${one.target}`

export const addAuditLogCommands = ({ group, run }: Commands): void => {
  group('audit-log', 'What staff and operators did.')
    .command('list')
    .description('List actions of staff and operators, the newest first, one hundred at a time.')
    .option('--before <id>', 'only entries older than this one', idOf)
    .action(
      run(async (operator, { before }) => {
        const { entries } = await operator.ask(auditLogList, before ? { max_id: before } : {})
        return { data: entries, text: entries.map(line).join('\n') || NONE }
      }),
    )
}
