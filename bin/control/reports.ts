/** Commands for reports: queues, assignment and notes of staff. */
import { Argument, Option } from '@commander-js/extra-typings'
import {
  assignReport,
  createReportNote,
  listReportNotes,
  listReportQueue,
  removeReportNote,
  type StaffNote,
  summarizeReports,
} from '@murmuration/contracts/admin'
import type { AdminReport } from '@murmuration/contracts/entities'
import { accountNamed, localName } from './account-names.js'
import { type Commands, DRY_RUN, everyPage, examples, idOf, NONE, removeOrReport } from './result.js'

const PAGE = 200
const report = () => new Argument('<id>', 'number of the report').argParser(idOf)
const hoursOf = (seconds: number): string => `${Math.floor(seconds / 3_600)} h`

const line = (one: AdminReport): string => {
  const assigned = one.assigned_account ? `@${one.assigned_account.username}` : 'unassigned'
  return `${one.id}  ${one.created_at}  ${one.category}  @${one.target_account.account.acct}  ${assigned}`
}

const noteLine = (one: StaffNote): string =>
  `${one.id}  ${one.created_at}  ${one.account ? `@${one.account.acct}` : 'operator'}  ${one.text.replaceAll('\n', ' ')}`

export const addReportCommands = ({ group, run }: Commands): void => {
  const reports = group('report', 'Open reports.')
  reports
    .command('list')
    .description('List open reports, newest first.')
    .addOption(new Option('--queue <queue>', 'only of this queue').choices(['unassigned', 'others']))
    .addOption(
      new Option('--category <category>', 'only of this category').choices(['spam', 'legal', 'violation', 'other']),
    )
    .addHelpText('after', examples('report list --queue unassigned'))
    .action(
      run(async (operator, { queue, category }) => {
        const pages = await everyPage(async (after) => {
          const page = { limit: PAGE, queue, category, ...(after === '' ? {} : { max_id: after }) }
          const found = await operator.call(listReportQueue, page)
          return { found, next: found.length < PAGE ? null : (found.at(-1)?.id ?? null) }
        })
        const found = pages.flatMap((page) => page.found)
        return { data: found, text: found.map(line).join('\n') || NONE }
      }),
    )
  reports
    .command('summary')
    .description('Count open reports by queue and category, with the age of the oldest and the median age.')
    .action(
      run(async (operator) => {
        const summary = await operator.call(summarizeReports, {})
        const { open, queues, categories, oldest_open, median_age_seconds } = summary
        const oldest = oldest_open
          ? `\nOldest: ${oldest_open.id}, ${hoursOf(oldest_open.age_seconds)}. Median: ${hoursOf(median_age_seconds ?? 0)}.`
          : ''
        const byCategory = Object.entries(categories).map(([name, count]) => `${name} ${count}`)
        return {
          data: summary,
          text: `${open} open reports, ${queues.unassigned} of them unassigned.\nBy category: ${byCategory.join(', ')}.${oldest}`,
        }
      }),
    )
  reports
    .command('assign')
    .addArgument(report())
    .argument('<name>', 'user name of an account whose role may manage reports', localName)
    .description('Assign a report.')
    .addHelpText('after', examples('report assign 113456789012345678 alice'))
    .action(
      run(async (operator, id, name) => {
        const { id: account_id } = await accountNamed(operator, name)
        const assigned = await operator.call(assignReport, { id, account_id })
        return { data: assigned, text: line(assigned) }
      }),
    )
  reports
    .command('notes')
    .addArgument(report())
    .description('List the notes of staff on a report, newest first, at most 200.')
    .action(
      run(async (operator, id) => {
        const notes = await operator.call(listReportNotes, { id, limit: PAGE })
        return { data: notes, text: notes.map(noteLine).join('\n') || NONE }
      }),
    )
  reports
    .command('note')
    .addArgument(report())
    .argument('<text>', 'text that only staff reads')
    .description('Add a note to a report.')
    .addHelpText('after', examples('report note 113456789012345678 "Asked their server"'))
    .action(
      run(async (operator, id, text) => {
        const note = await operator.call(createReportNote, { id, text })
        return { data: note, text: noteLine(note) }
      }),
    )
  reports
    .command('remove-note')
    .addArgument(report())
    .addArgument(new Argument('<note>', 'number of the note').argParser(idOf))
    .description('Delete a note from a report.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, id, note_id, flags) =>
        removeOrReport(
          flags,
          async () => {
            // The newest note below the next id is the note itself, if it exists.
            const max_id = String(BigInt(note_id) + 1n)
            const [found] = await operator.call(listReportNotes, { id, max_id, limit: 1 })
            return found?.id === note_id ? noteLine(found) : null
          },
          () => operator.call(removeReportNote, { id, note_id }),
        ),
      ),
    )
}
