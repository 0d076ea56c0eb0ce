/** Commands for all data of a remote server. */
import { purgeDomains } from '@murmuration/contracts/accounts'
import { addCrawlCommand } from './domain-crawl.js'
import { type Commands, DRY_RUN, examples } from './result.js'
import { DETACH, taskResult } from './tasks.js'

export const addDomainCommands = (commands: Commands): void => {
  const { group, run } = commands
  group('domain', 'Data of other servers.')
    .command('purge')
    .argument('<domains...>', 'domains of the servers')
    .description('Remove all accounts of servers, with their statuses, media and relations. It is no block.')
    .option('--include-subdomains', 'also everything below the domains')
    .option('--by-uri', 'by the host of the actor id instead of the domain of the handle')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('domain purge dead.example --dry-run', 'domain purge dead.example other.example'))
    .action(
      run(async (operator, domains, { includeSubdomains, byUri, dryRun, detach }) => {
        const task = await operator.call(purgeDomains, {
          domains,
          below: includeSubdomains ?? false,
          by_uri: byUri ?? false,
          dry_run: dryRun ?? false,
        })
        return taskResult(
          operator,
          'accounts',
          task,
          { things: 'accounts', done: 'removed', would: 'remove' },
          { detach },
        )
      }),
    )
  addCrawlCommand(commands)
}
