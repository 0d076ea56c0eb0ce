/** Commands that read, verify and export the audit log of staff and operators. */
import { InvalidArgumentError } from '@commander-js/extra-typings'
import {
  type AuditEntry,
  exportAuditLog,
  listAuditLog,
  showAuditLogEntry,
  undoAuditLogEntry,
  verifyAuditLog,
} from '@murmuration/contracts/admin'
import type { Operator } from './operator.js'
import { type Commands, createProgress, everyPage, examples, idOf, NONE, type Result } from './result.js'

const line = (one: AuditEntry): string =>
  `${one.id}  ${one.at}  ${one.actor ?? 'operator'}  ${one.action}  ${one.target}`

interface ChainEnd {
  seq: string
  hash: string
}

const headOf = (given: string): ChainEnd => {
  // `0:` means that the audit log was empty, which has no hash.
  if (given === '0:') return { seq: '0', hash: '' }
  const [, seq, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(given) ?? []
  if (seq === undefined || hash === undefined)
    throw new InvalidArgumentError('It is NUMBER:HASH as this command printed it.')
  return { seq, hash }
}

const PAGE = 1_000
const REASONS = {
  missing: 'was removed',
  changed: 'was changed after it was written',
  cut: 'and those after it were removed',
  added: 'was added without the chain',
}

/**
 * Verifies all pages of the audit log. If the operator gave the hash of an entry, one page ends at that entry, so that
 * the hashes can be compared.
 */
const verify = async (operator: Operator, known: ChainEnd | undefined): Promise<Result> => {
  let after: ChainEnd = { seq: '0', hash: '' }
  let isKnown = known === undefined || known.seq === after.seq
  const progress = createProgress()
  for (;;) {
    const left = known && BigInt(known.seq) > BigInt(after.seq) ? BigInt(known.seq) - BigInt(after.seq) : BigInt(PAGE)
    const limit = Number(left < BigInt(PAGE) ? left : BigInt(PAGE))
    const { end, more, problem } = await operator.call(verifyAuditLog, { after, limit })
    const isOther = known !== undefined && end.seq === known.seq && end.hash !== known.hash
    if (isOther)
      return {
        data: { end, problem: 'other history' },
        text: `Entry ${end.seq} has another hash than before.`,
        code: 1,
      }
    if (known && end.seq === known.seq) isKnown = true
    if (problem)
      return {
        data: { end, problem },
        text: `Entry ${problem.seq === '0' ? `with the id ${problem.id}` : problem.seq} ${REASONS[problem.reason]}.`,
        code: 1,
      }
    after = end
    if (!more) break
    progress(`${end.seq} entries verified`)
  }
  if (!isKnown) return { data: { end: after, problem: 'cut' }, text: `The log ends at entry ${after.seq}.`, code: 1 }
  return {
    data: { end: after, problem: null },
    text: `${after.seq} entries are intact. Head: ${after.seq}:${after.hash}`,
  }
}

export const addAuditLogCommands = ({ group, run }: Commands): void => {
  const log = group('audit-log', 'The audit log of staff and operators.').alias('audit')
  log
    .command('list')
    .description('List actions of staff and operators, the newest first, one hundred at a time.')
    .option('--before <id>', 'only entries older than this one', idOf)
    .action(
      run(async (operator, { before }) => {
        const { entries } = await operator.call(listAuditLog, before ? { max_id: before } : {})
        return { data: entries, text: entries.map(line).join('\n') || NONE }
      }),
    )
  log
    .command('show')
    .description('Show one action with the state before and after, and whether it can be undone.')
    .argument('<id>', 'id of the entry', idOf)
    .addHelpText('after', examples('audit-log show 113456789012345678'))
    .action(
      run(async (operator, id) => {
        const entry = await operator.call(showAuditLogEntry, { id })
        const undo = entry.reversible ? 'It can be undone.' : `It cannot be undone: ${entry.obstacle?.text}.`
        const states = `Before: ${JSON.stringify(entry.before)}\nAfter: ${JSON.stringify(entry.after)}`
        return { data: entry, text: `${line(entry)}\n${states}\n${undo}` }
      }),
    )
  log
    .command('undo')
    .description('Restore the state before an action, unless it changed since. The undo is an entry of its own.')
    .argument('<id>', 'id of the entry', idOf)
    .option('--reason <text>', 'text for the audit log')
    .addHelpText('after', examples('audit-log undo 113456789012345678 --reason "a mistake"'))
    .action(
      run(async (operator, id, { reason }) => {
        const entry = await operator.call(undoAuditLogEntry, { id, ...(reason ? { reason } : {}) })
        return { data: entry, text: line(entry) }
      }),
    )
  log
    .command('verify')
    .description('Verify that no entry was changed or removed. Note the head it prints outside of this server.')
    .option('--head <number:hash>', 'a head that verify printed earlier; detects a rewritten log', headOf)
    .addHelpText('after', examples('audit-log verify'))
    .action(run((operator, { head }) => verify(operator, head)))
  log
    .command('export')
    .description(
      'Print the log as JSON lines, oldest first. Each hash is SHA-256 of the one before it and of the entry.',
    )
    .action(
      run(async (operator) => {
        const pages = await everyPage((after) => operator.call(exportAuditLog, { after }), '0')
        const entries = pages.flatMap((page) => page.entries)
        return { data: entries, text: entries.map((one) => JSON.stringify(one)).join('\n') }
      }),
    )
}
