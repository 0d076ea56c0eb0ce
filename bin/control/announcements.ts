/** Commands for announcements. */
import { Argument } from '@commander-js/extra-typings'
import {
  createAnnouncement,
  listAllAnnouncements,
  removeAnnouncement,
  type StoredAnnouncement,
  updateAnnouncement,
} from '@murmuration/contracts/admin'
import { type Commands, DRY_RUN, examples, idOf, NONE, removeOrReport, timeOf } from './result.js'

const line = (one: StoredAnnouncement): string => {
  const state = one.published_at ? 'published' : one.scheduled_at ? `from ${one.scheduled_at}` : 'not published'
  return `${one.id}  ${state}  ${one.text.replaceAll('\n', ' ').slice(0, 100)}`
}
const id = () => new Argument('<id>', 'number of the announcement').argParser(idOf)

export const addAnnouncementCommands = ({ group, run }: Commands): void => {
  const announcement = group('announcement', 'Announcements to everybody on this server.')
  announcement
    .command('create <text>')
    .description('Publish an announcement now or at a time.')
    .option('--at <time>', 'time of publication', timeOf)
    .option('--from <time>', 'start of the announced event; with --to, the publication when absent', timeOf)
    .option('--to <time>', 'end of the event; the announcement is removed then', timeOf)
    .addHelpText('after', examples('announcement create "Maintenance tonight." --to 2026-12-31T23:00Z'))
    .action(
      run(async (operator, text, { at, from, to }) => {
        const made = await operator.call(createAnnouncement, {
          text,
          scheduled_at: at ?? null,
          starts_at: from ?? (to === undefined ? null : (at ?? new Date().toISOString())),
          ends_at: to ?? null,
        })
        return { data: made, text: line(made) }
      }),
    )
  announcement
    .command('list')
    .description('List all announcements, the newest first.')
    .action(
      run(async (operator) => {
        const { announcements } = await operator.call(listAllAnnouncements, {})
        return { data: announcements, text: announcements.map(line).join('\n') || NONE }
      }),
    )
  for (const verb of ['publish', 'unpublish'] as const)
    announcement
      .command(verb)
      .addArgument(id())
      .description(verb === 'publish' ? 'Publish an announcement now.' : 'Withdraw an announcement.')
      .action(
        run(async (operator, one) => {
          const changed = await operator.call(updateAnnouncement, { id: one, published: verb === 'publish' })
          return { data: changed, text: line(changed) }
        }),
      )
  announcement
    .command('remove')
    .addArgument(id())
    .description('Remove an announcement with its reactions.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, wanted, flags) =>
        removeOrReport(
          flags,
          async () => {
            const { announcements } = await operator.call(listAllAnnouncements, {})
            return announcements.filter((one) => one.id === wanted).map(line)[0] ?? null
          },
          () => operator.call(removeAnnouncement, { id: wanted }),
        ),
      ),
    )
}
