/**
 * Commands for stored files: show their sizes, remove or fetch copies of remote files, remove unused files, and find
 * the page of a file.
 */
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { accountRecords, removeProfileMedia } from '@murmuration/contracts/accounts'
import { lookupMedia, mediaUsage, refreshMedia, removeMedia, removeOrphanedMedia } from '@murmuration/contracts/media'
import { statusRecords } from '@murmuration/contracts/statuses'
import { accountNamed, remoteName } from './account-names.js'
import type { Operator } from './operator.js'
import { type Commands, DRY_RUN, examples, idOf, numberFrom0 } from './result.js'
import { bytesText, DETACH, endText, taskResult, waitForTask } from './tasks.js'

const COPIES = { things: 'copies', done: 'removed', would: 'remove' }
const KINDS = ['attachments', 'avatars', 'headers', 'emoji'] as const

const usageText = (notes: Record<string, number>): string => {
  const of = (name: string) => notes[name] ?? 0
  const lines = KINDS.map((kind) => {
    const [local, remote] = [of(`local_${kind}`), of(`remote_${kind}`)]
    return `${kind.padEnd(12)} ${bytesText(local + remote)} (${bytesText(local)} local)`
  })
  const all = Object.values(notes).reduce((sum, bytes) => sum + bytes, 0)
  return [...lines, `${'all'.padEnd(12)} ${bytesText(all)}`].join('\n')
}

const addRemove = ({ group, run }: Commands): void => {
  group('media', 'Stored files.')
    .command('remove')
    .description('Remove copies of files of other servers; they are fetched again when someone looks.')
    .option('--days <days>', 'only copies that are older; 7 when absent', numberFrom0(36_500))
    .option('--prune-profiles', 'avatars and headers instead of attachments')
    .option('--remove-headers', 'headers instead of attachments')
    .option('--include-follows', 'with the two flags above: also of accounts with follows from or to local accounts')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('media remove --days 14 --dry-run', 'media remove --prune-profiles'))
    .action(({ days = 7, pruneProfiles, removeHeaders, includeFollows, dryRun, detach }) => {
      if (pruneProfiles && removeHeaders)
        throw new InvalidArgumentError('--prune-profiles and --remove-headers exclude each other.')
      const isProfiles = pruneProfiles ?? removeHeaders ?? false
      if (includeFollows && !isProfiles)
        throw new InvalidArgumentError('--include-follows belongs to --prune-profiles or --remove-headers.')
      return run(async (operator) => {
        const dry_run = dryRun ?? false
        if (!isProfiles) {
          const task = await operator.call(removeMedia, { days, dry_run })
          return taskResult(operator, 'media', task, COPIES, { detach })
        }
        const task = await operator.call(removeProfileMedia, {
          days,
          headers_only: removeHeaders ?? false,
          include_follows: includeFollows ?? false,
          dry_run,
        })
        return taskResult(operator, 'accounts', task, { ...COPIES, of: 'accounts' }, { detach })
      })()
    })
}

const addRefresh = ({ group, run }: Commands): void => {
  group('media', '')
    .command('refresh')
    .description('Fetch remote attachments without a local copy.')
    .option('--status <id>', 'of this status', idOf)
    .option('--account <handle>', 'of this account', remoteName)
    .option('--domain <domain>', 'of this server and those below its domain')
    .option('--days <days>', 'of the last days', numberFrom0(36_500))
    .option('--force', 'also those that have a copy')
    .option('--dry-run', 'only count the attachments')
    .option(...DETACH)
    .addHelpText('after', examples('media refresh --status 117728431997133114', 'media refresh --days 2'))
    .action(({ status, account, domain, days, force, dryRun, detach }) => {
      if ([status, account, domain, days].every((one) => one === undefined))
        throw new InvalidArgumentError('Give --status, --account, --domain or --days.')
      return run(async (operator) => {
        const owner = account === undefined ? undefined : (await accountNamed(operator, account)).id
        const task = await operator.call(refreshMedia, {
          status_id: status,
          account_id: owner,
          domain: domain ?? null,
          days,
          force: force ?? false,
          dry_run: dryRun ?? false,
        })
        const words = { things: 'attachments', done: 'fetched', would: 'fetch' }
        return taskResult(operator, 'media', task, words, { detach })
      })()
    })
}

/** URL of the page of the status, account or emoji to which a file belongs. */
const pageOf = async (
  operator: Operator,
  { kind, owner, status_id }: { kind: string; owner: string | null; status_id: string | null },
): Promise<string> => {
  if (status_id !== null) {
    const [status] = (await operator.call(statusRecords, { ids: [status_id] })).records
    return status?.url ?? status?.uri ?? `the status ${status_id}, which is gone`
  }
  if (kind === 'emoji') return owner === null ? 'a custom emoji of this server' : `a custom emoji of ${owner}`
  const [account] = owner === null ? [] : (await operator.call(accountRecords, { ids: [owner] })).records
  const of = account?.url ?? `the account ${owner}, which is gone`
  return kind === 'attachment' ? `no status yet; uploaded by ${of}` : `${kind} of ${of}`
}

export const addMediaCommands = (commands: Commands): void => {
  const { group, run } = commands
  const media = group('media', 'Stored files.')
  media
    .command('usage')
    .description('Add up the sizes of stored files.')
    .action(
      run(async (operator) => {
        const task = await waitForTask(operator, 'media', await operator.call(mediaUsage, {}), {
          things: 'rows',
          done: 'read',
          would: 'read',
        })
        const isDone = task.state === 'done'
        const text = isDone ? usageText(task.notes) : endText(task, { things: 'rows', done: 'read', would: 'read' })
        return { data: task.notes, text, code: isDone ? 0 : 1 }
      }),
    )
  addRemove(commands)
  media
    .command('orphans')
    .description('Remove files that nothing refers to from the store, unless they are younger than a day.')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('media orphans --dry-run'))
    .action(
      run(async (operator, { dryRun, detach }) => {
        const task = await operator.call(removeOrphanedMedia, { dry_run: dryRun ?? false })
        return taskResult(operator, 'media', task, { things: 'files', done: 'removed', would: 'remove' }, { detach })
      }),
    )
  addRefresh(commands)
  media
    .command('lookup <url>')
    .description('Print the page on which a file of this server is shown.')
    .addHelpText('after', examples('media lookup https://social.example/system/media/3f/9c0a.jpg'))
    .action(
      run(async (operator, url) => {
        const found = await operator.call(lookupMedia, { url })
        return { data: found, text: await pageOf(operator, found) }
      }),
    )
}
