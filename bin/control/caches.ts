/** Commands for feeds and caches in Redis, which can be rebuilt. */
import { Argument, InvalidArgumentError } from '@commander-js/extra-typings'
import { buildFeeds, clearFeeds } from '@murmuration/contracts/admin'
import { CacheKind, clearCache } from '@murmuration/contracts/statuses'
import { accountNamed, localName } from './account-names.js'
import { type Commands, DRY_RUN, examples } from './result.js'
import { DETACH, taskResult } from './tasks.js'

const FEEDS = { things: 'feeds', of: 'accounts' }

export const addCacheCommands = ({ group, run }: Commands): void => {
  const feed = group('feed', 'Home and list feeds of local accounts.')
  feed
    .command('build')
    .argument('[name]', 'user name', localName)
    .description('Rebuild the feeds of an account, or of all accounts that were active in the last 30 days.')
    .option('--all', 'of all accounts')
    .option('--dry-run', 'only count the feeds')
    .option(...DETACH)
    .addHelpText('after', examples('feed build alice', 'feed build --all'))
    .action((name, { all, dryRun, detach }) => {
      if ((name === undefined) === (all === undefined)) throw new InvalidArgumentError('Give a name or --all.')
      return run(async (operator) => {
        const owner = name === undefined ? undefined : (await accountNamed(operator, name)).id
        const task = await operator.call(buildFeeds, { account_id: owner, dry_run: dryRun ?? false })
        return taskResult(operator, 'admin', task, { ...FEEDS, done: 'built', would: 'build' }, { detach })
      })()
    })
  feed
    .command('clear')
    .argument('[name]', 'user name', localName)
    .description('Delete the feeds of an account, or of all, from Redis. They are rebuilt when they are read.')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('feed clear --dry-run', 'feed clear alice'))
    .action(
      run(async (operator, name, { dryRun, detach }) => {
        const owner = name === undefined ? undefined : (await accountNamed(operator, name)).id
        const task = await operator.call(clearFeeds, { account_id: owner, dry_run: dryRun ?? false })
        return taskResult(operator, 'admin', task, { ...FEEDS, done: 'cleared', would: 'clear' }, { detach })
      }),
    )
  group('cache', 'Caches in Redis, which can be rebuilt.')
    .command('clear')
    .addArgument(new Argument('[kind]', 'which cache; all when absent').choices(CacheKind.options))
    .description('Clear rendered statuses and translations. Sessions, rate limits and feeds stay.')
    .option(...DRY_RUN)
    .addHelpText('after', examples('cache clear', 'cache clear translations'))
    .action(
      run(async (operator, kind, { dryRun }) => {
        const cleared = await operator.call(clearCache, {
          kinds: kind === undefined ? [] : [kind],
          dry_run: dryRun ?? false,
        })
        const names = cleared.kinds.join(', ')
        const text = dryRun ? `Would clear: ${names}` : `Cleared within ${cleared.within} seconds: ${names}`
        return { data: cleared, text }
      }),
    )
}
