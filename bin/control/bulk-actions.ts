/** Commands that start bulk actions, with a dry run, show them, and undo them. */
import { Argument, InvalidArgumentError } from '@commander-js/extra-typings'
import {
  BULK_SKIP_TEXTS,
  type BulkAction,
  createBulkAction,
  listBulkActions,
  showAdminTask,
  showBulkAction,
  undoBulkAction,
} from '@murmuration/contracts/admin'
import type { ErrorText } from '@murmuration/contracts/kit'
import type { Operator } from './operator.js'
import { type Commands, examples, idOf, minuteText, NONE, numberFrom0, type Result } from './result.js'
import { DETACH, waitForTask } from './tasks.js'

const NOUNS = ['account', 'trend-tag', 'trend-link', 'trend-status', 'domain-block']
const DRY_RUN = ['--dry-run', 'only count what would change, and why other items would not'] as const
const EXPECT = ['--expect <number>', 'refuse when the number of items is another one'] as const
const WORDS = { things: 'items', done: 'changed', would: 'change' }
const MAX_ITEMS = 10_000

const number = (count: number): string => count.toLocaleString('en-US')
const reasonText = (reason: string): string =>
  (BULK_SKIP_TEXTS as Record<string, ErrorText>)[reason]?.toString() ?? reason

const line = (one: BulkAction): string =>
  `${one.id}  ${one.created_at && minuteText(one.created_at)}  ${one.action} ${one.noun}  ${one.state}  ${number(one.changed)} of ${number(one.found)} changed`

/** Text with the counts of a bulk action, the reasons for skipped items, and examples. */
const details = (one: BulkAction): string => {
  const summary = one.dry_run ? `Would change ${number(one.changed)} of ${number(one.found)} items` : line(one)
  const reasons = Object.entries(one.skipped).map(([reason, count]) => `${number(count)}  ${reasonText(reason)}`)
  const items = one.sample
    .filter(({ outcome }) => outcome !== 'changed')
    .map(({ id, target, outcome }) => `${id}  ${target}  ${reasonText(outcome)}`)
  return [summary, ...reasons, ...items, one.error].filter(Boolean).join('\n')
}

/** Waits for the end of a bulk action and returns its result. With `detach`, it does not wait. For a dry run, it returns the counts. */
const resultOf = async (
  operator: Operator,
  started: BulkAction,
  { detach }: { detach?: true | undefined },
): Promise<Result> => {
  const { id } = started
  if (id === null) return { data: started, text: details(started) }
  if (detach)
    return { data: started, text: `The bulk action ${id} is running. Its progress: bin/ctl bulk-action show ${id}` }
  const task = await waitForTask(operator, 'admin', await operator.call(showAdminTask, { id }), WORDS)
  const ended = await operator.call(showBulkAction, { id })
  return { data: ended, text: details(ended), code: task.state === 'done' ? 0 : 1 }
}

interface Filters {
  status?: string | undefined
  origin?: string | undefined
  username?: string | undefined
  domain?: string | undefined
  email?: string | undefined
  ip?: string | undefined
}

/** Returns the selection of a bulk action: the given ids, or without ids the given filters. */
const selectionOf = (ids: readonly string[], { domain, ...filters }: Filters) => {
  const query = Object.fromEntries(
    Object.entries({ ...filters, by_domain: domain }).filter(([, value]) => value !== undefined),
  )
  const hasQuery = Object.keys(query).length > 0
  if (hasQuery === ids.length > 0) throw new InvalidArgumentError('Give ids, or filters such as --status: one of both.')
  return hasQuery ? { query } : { ids: [...ids] }
}

const addStart = ({ group, run }: Commands): void => {
  group('bulk-action', 'One action on many accounts, trends or domain blocks.')
    .command('start')
    .addArgument(new Argument('<noun>', 'what is changed').choices(NOUNS))
    .argument('<action>', 'sensitive, silence, disable, suspend, their opposites, approve, reject or remove')
    .argument('[ids...]', 'ids of the items')
    .description(
      'Apply one action to many items. Each item gets its own entry in the audit log. Count with --dry-run first.',
    )
    .option('--status <status>', 'accounts in this state: active, pending, disabled, silenced, suspended or sensitized')
    .option('--origin <origin>', 'origin of the accounts: local or remote')
    .option('--username <start>', 'accounts whose user names begin with this')
    .option('--domain <domain>', 'accounts of this server')
    .option('--email <start>', 'accounts whose e-mail addresses begin with this')
    .option('--ip <range>', 'accounts that signed in from this address or range')
    .option('--reason <text>', 'text for the audit log')
    .option(EXPECT[0], EXPECT[1], numberFrom0(MAX_ITEMS))
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText(
      'after',
      examples(
        'bulk-action start account silence --domain spam.example --dry-run',
        'bulk-action start account silence --domain spam.example --expect 120 --reason "a wave of spam"',
        'bulk-action start domain-block remove 117728431997133114 117728431997133115',
      ),
    )
    .action((noun, action, ids, { reason, expect, dryRun, detach, ...filters }) => {
      const selection = selectionOf(ids.map(idOf), filters)
      return run(async (operator) => {
        const started = await operator.call(createBulkAction, {
          noun: noun.replace('-', '_'),
          action,
          ...selection,
          expected: expect ?? null,
          dry_run: dryRun ?? false,
          text: reason ?? null,
        })
        return resultOf(operator, started, { detach })
      })()
    })
}

export const addBulkActionCommands = (commands: Commands): void => {
  addStart(commands)
  const { group, run } = commands
  group('bulk-action', '')
    .command('list')
    .description('List the last bulk actions, the newest first.')
    .action(
      run(async (operator) => {
        const found = await operator.call(listBulkActions, {})
        return { data: found, text: found.map(line).join('\n') || NONE }
      }),
    )
  group('bulk-action', '')
    .command('show')
    .argument('<id>', 'id of the bulk action', idOf)
    .description('Print the progress of a bulk action, and items that did not change.')
    .action(
      run(async (operator, id) => {
        const found = await operator.call(showBulkAction, { id })
        return { data: found, text: details(found) }
      }),
    )
  group('bulk-action', '')
    .command('undo')
    .argument('<id>', 'id of the bulk action, or batch of the audit log', idOf)
    .description('Undo a bulk action item by item. Items that changed since stay as they are, and are named.')
    .option('--reason <text>', 'text for the audit log')
    .option(EXPECT[0], EXPECT[1], numberFrom0(MAX_ITEMS))
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('bulk-action undo 117728431997133114 --dry-run'))
    .action(
      run(async (operator, id, { reason, expect, dryRun, detach }) => {
        const wanted = { expected: expect ?? null, dry_run: dryRun ?? false, text: reason ?? null }
        return resultOf(operator, await operator.call(undoBulkAction, { id, ...wanted }), { detach })
      }),
    )
}
