/** Commands for remote accounts, signing keys, and follows by all accounts. */
import { InvalidArgumentError } from '@commander-js/extra-typings'
import {
  cullAccounts,
  followAccounts,
  refreshAccount,
  refreshAllAccounts,
  rotateAllKeys,
  rotateKeys,
  unfollowAccounts,
} from '@murmuration/contracts/accounts'
import { pruneRemoteAccounts } from '@murmuration/contracts/admin'
import { accountNamed, findAccount, handleName, localName, remoteName } from './account-names.js'
import type { Operator } from './operator.js'
import { type Commands, createProgress, DRY_RUN, examples, numberUpTo } from './result.js'
import { DETACH, taskResult } from './tasks.js'

const REMOVED = { things: 'accounts', done: 'removed', would: 'remove' }
const FETCHED = { things: 'accounts', done: 'fetched', would: 'fetch' }
const ENDED = { things: 'relations', done: 'ended', would: 'end' }

const refreshOne = async (operator: Operator, id: string, dryRun = false): Promise<string> =>
  dryRun ? 'counted' : (await operator.call(refreshAccount, { id })).outcome

const addRefresh = ({ group, run }: Commands): void => {
  group('account', 'Accounts.')
    .command('refresh')
    .argument('[names...]', 'handles of accounts of other servers', (given: string, before: string[] = []) => [
      ...before,
      remoteName(given),
    ])
    .description('Fetch profiles of accounts of other servers again.')
    .option('--domain <domain>', 'all accounts of a server')
    .option('--all', 'all accounts of other servers')
    .option('--dry-run', 'only count the accounts')
    .option(...DETACH)
    .addHelpText('after', examples('account refresh bob@other.example', 'account refresh --domain other.example'))
    .action((names: string[] | undefined, { domain, all, dryRun, detach }) => {
      const wanted = names ?? []
      if ([wanted.length > 0, domain !== undefined, all === true].filter(Boolean).length !== 1)
        throw new InvalidArgumentError('Give names, --domain or --all.')
      return run(async (operator) => {
        if (wanted.length === 0) {
          const task = await operator.call(refreshAllAccounts, { domain: domain ?? null, dry_run: dryRun ?? false })
          return taskResult(operator, 'accounts', task, FETCHED, { detach })
        }
        const results: { name: string; outcome: string }[] = []
        const progress = createProgress()
        for (const name of wanted) {
          const found = await findAccount(operator, name)
          results.push({ name, outcome: found ? await refreshOne(operator, found.id, dryRun) : 'unknown' })
          progress(`${results.length} of ${wanted.length} accounts so far`)
        }
        return {
          data: results,
          text: results.map((one) => `${one.name}  ${one.outcome}`).join('\n'),
          code: results.some((one) => ['unavailable', 'unknown'].includes(one.outcome)) ? 1 : 0,
        }
      })()
    })
}

const addRotate = ({ group, run }: Commands): void => {
  group('account', '')
    .command('rotate-keys')
    .argument('[name]', 'user name', localName)
    .description(
      'Create a new signing key for an account, or for all local accounts and the instance actor. Other servers get it in an Update.',
    )
    .option('--all', 'all accounts of this server')
    .option('--delay <seconds>', 'with --all, pause after each 25 accounts; 60 when absent', numberUpTo(86_400))
    .option(...DETACH)
    .addHelpText('after', examples('account rotate-keys alice', 'account rotate-keys --all --delay 300'))
    .action((name, { all, delay, detach }) => {
      if ((name === undefined) === (all === undefined)) throw new InvalidArgumentError('Give a name or --all.')
      if (delay !== undefined && !all) throw new InvalidArgumentError('--delay belongs to --all.')
      return run(async (operator) => {
        if (name !== undefined) {
          const { id } = await accountNamed(operator, name)
          await operator.call(rotateKeys, { id })
          return { data: { id }, text: `@${name} has a new key.` }
        }
        const task = await operator.call(rotateAllKeys, delay === undefined ? {} : { delay })
        const words = { things: 'accounts', done: 'have a new key', would: 'rotate' }
        return taskResult(operator, 'accounts', task, words, { detach })
      })()
    })
}

export const addAccountUpkeepCommands = (commands: Commands): void => {
  const { group, run } = commands
  addRefresh(commands)
  addRotate(commands)
  const account = group('account', '')
  account
    .command('cull')
    .argument('[domains...]', 'only accounts of these servers')
    .description('Remove remote accounts that no longer exist on their server (404 or 410), if not fetched for a week.')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('account cull --dry-run', 'account cull other.example'))
    .action(
      run(async (operator, domains, { dryRun, detach }) => {
        const task = await operator.call(cullAccounts, { domains, dry_run: dryRun ?? false })
        return taskResult(operator, 'accounts', task, REMOVED, { detach })
      }),
    )
  account
    .command('prune')
    .description('Remove remote accounts without a relationship to local accounts, a week after they became known.')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('account prune --dry-run', 'account prune --detach'))
    .action(
      run(async (operator, { dryRun, detach }) => {
        const task = await operator.call(pruneRemoteAccounts, { dry_run: dryRun ?? false })
        return taskResult(operator, 'admin', task, REMOVED, { detach })
      }),
    )
  account
    .command('follow')
    .argument('<name>', 'user name', localName)
    .description('Make every active local account follow a local account.')
    .option('--dry-run', 'only count the accounts')
    .option(...DETACH)
    .addHelpText('after', examples('account follow news'))
    .action(
      run(async (operator, name, { dryRun, detach }) => {
        const { id } = await accountNamed(operator, name)
        const task = await operator.call(followAccounts, { id, dry_run: dryRun ?? false })
        const words = { things: 'accounts', done: 'follow now', would: 'follow from' }
        return taskResult(operator, 'accounts', task, words, { detach })
      }),
    )
  account
    .command('unfollow')
    .argument('<name>', 'user name or handle', handleName)
    .description('End every follow of an account by accounts of this server.')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('account unfollow bob@other.example --dry-run'))
    .action(
      run(async (operator, name, { dryRun, detach }) => {
        const { id } = await accountNamed(operator, name)
        const task = await operator.call(unfollowAccounts, { id, which: 'local', dry_run: dryRun ?? false })
        return taskResult(operator, 'accounts', task, ENDED, { detach })
      }),
    )
  account
    .command('reset-relationships')
    .argument('<name>', 'user name', localName)
    .description('End all follows of an account, all follows by it, or both.')
    .option('--follows', 'end follows by the account')
    .option('--followers', 'end follows of the account')
    .option(...DRY_RUN)
    .addHelpText('after', examples('account reset-relationships alice --follows --followers'))
    .action((name, { follows, followers, dryRun }) => {
      const sides = [follows && ('following' as const), followers && ('followers' as const)].filter((one) => !!one)
      if (sides.length === 0) throw new InvalidArgumentError('Give --follows, --followers or both.')
      return run(async (operator) => {
        const { id } = await accountNamed(operator, name)
        const results = []
        // The tasks run one after the other, because only one task of a kind may run at a time.
        for (const which of sides) {
          const task = await operator.call(unfollowAccounts, { id, which, dry_run: dryRun ?? false })
          results.push(await taskResult(operator, 'accounts', task, ENDED, {}))
        }
        return {
          data: results.map((one) => one.data),
          text: results.map((one, n) => `${sides[n]}: ${one.text}`).join('\n'),
          code: Math.max(...results.map((one) => one.code ?? 0)),
        }
      })()
    })
}
