/** The command that reads what staff and operators did. */
import { type AuditEntry, auditLogList } from '@murmuration/contracts/admin'
import type { Command } from './command.js'

const line = (one: AuditEntry): string =>
  `${one.id}  ${one.at}  ${one.actor ?? 'operator'}  ${one.action}  ${one.target}`

export const auditLogCommands: Command[] = [
  {
    name: 'audit-log list',
    usage: 'audit-log list [--before ID]',
    about: 'what staff and operators did, newest first, a hundred at a time',
    async run(operator, _words, { before }) {
      const { entries } = await operator.ask(auditLogList, before ? { max_id: before } : {})
      return { data: entries, text: entries.map(line).join('\n') || 'There is nothing.' }
    },
  },
]
