/** Commands that remove old remote data: statuses, and pictures of preview cards. */
import { removePreviewCards, removeStatuses } from '@murmuration/contracts/admin'
import { type Commands, DRY_RUN, examples, numberUpTo } from './result.js'
import { DETACH, taskResult } from './tasks.js'

const DAYS = 36_500

export const addPruningCommands = ({ group, run }: Commands): void => {
  group('statuses', 'Statuses of other servers.')
    .command('remove')
    .description(
      'Remove old remote statuses that no local account interacted with. They stay if their author has followers here.',
    )
    .option('--days <days>', 'only older statuses; 90 when absent', numberUpTo(DAYS))
    .option('--batch-size <count>', 'statuses of one step; 500 when absent', numberUpTo(1_000))
    .option('--clean-followed', 'also of authors with local followers')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('statuses remove --dry-run', 'statuses remove --days 180 --clean-followed'))
    .action(
      run(async (operator, { days, batchSize, cleanFollowed, dryRun, detach }) => {
        const task = await operator.call(removeStatuses, {
          days: days ?? 90,
          batch_size: batchSize ?? 500,
          clean_followed: cleanFollowed ?? false,
          dry_run: dryRun ?? false,
        })
        const words = { things: 'statuses', done: 'removed', would: 'remove' }
        return taskResult(operator, 'admin', task, words, { detach })
      }),
    )
  group('preview-cards', 'Previews of linked pages.')
    .command('remove')
    .description('Remove the pictures of old preview cards. The cards stay.')
    .option('--days <days>', 'only cards whose page was read before; 180 when absent', numberUpTo(DAYS))
    .option('--link', 'only cards of pages, not those of videos and photos')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('preview-cards remove --days 90 --dry-run', 'preview-cards remove --link'))
    .action(
      run(async (operator, { days, link, dryRun, detach }) => {
        const task = await operator.call(removePreviewCards, {
          days: days ?? 180,
          link: link ?? false,
          dry_run: dryRun ?? false,
        })
        const words = { things: 'pictures', of: 'cards', done: 'removed', would: 'remove' }
        return taskResult(operator, 'admin', task, words, { detach })
      }),
    )
}
