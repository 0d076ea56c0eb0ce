/** The command `federation explain`: where a status, boost or activity was delivered, and why it was not. */

import { InvalidArgumentError } from '@commander-js/extra-typings'
import {
  type Ended,
  explainDelivery,
  type LookedAt,
  type NamedHostReason,
  type NoDeliveryReason,
} from '@murmuration/contracts/federation'
import type { ResultOf } from '@murmuration/contracts/kit'
import { readTime } from '@murmuration/text'
import { handleName } from './account-names.js'
import type { Operator } from './operator.js'
import { type Commands, examples, type Group, NONE, type Result, timeOf } from './result.js'

type Explained = ResultOf<(typeof explainDelivery)['output']>
type Activity = Explained['activities'][number]

/** Line about a delivery: its state, and the time of its next try or of its final outcome. */
const deliveryLine = (one: Activity['deliveries'][number]): string => {
  const tried = one.attempts === 0 ? 'not tried' : `attempts ${one.attempts}, status ${one.status ?? '–'}`
  return `  ${one.state.padEnd(9)} ${one.inbox}  ${tried}, ${one.state === 'pending' ? 'next at ' : ''}${one.at}`
}

const isSent = ({ counts }: Activity): boolean => Object.values(counts).some((n) => n > 0)

const activityLines = (it: Activity, isOneServer: boolean): string[] => {
  const counts = Object.entries(it.counts).flatMap(([state, n]) => (n > 0 ? [`${n} ${state}`] : []))
  const sent = counts.join(', ') || (isOneServer ? 'not sent to this server' : 'not sent')
  return [
    `${it.kind} ${it.uri} of ${it.created_at}${it.boost_of ? `, boost of ${it.boost_of}` : ''}: ${sent}`,
    ...it.deliveries.map(deliveryLine),
    ...(it.more > 0 ? [`  … and ${it.more} more`] : []),
  ]
}

const WHY: Record<NamedHostReason, (name: string) => string> = {
  inbox: () => 'it has inboxes of this name',
  handle: (name) => `accounts with handles of ${name} have their inboxes there`,
  actor: (name) => `accounts whose actor ids are on ${name} have their inboxes there`,
  'shared-inbox': (name) => `the shared inbox of ${name}, which receives its statuses`,
  'own-inbox': (name) => `the own inbox of ${name}, used for direct activities and without a shared inbox`,
}

/** Lines about the hosts of inboxes that match the name in `--host`. */
const lookedAtLines = ({ name, is_known, is_partial, blocked, hosts }: LookedAt): string[] => [
  ...(is_partial ? ['The service accounts does not respond: hosts of handles and actor ids were not looked up.'] : []),
  ...(is_known ? [] : [`The account ${name} is not known here, so its domain was looked up.`]),
  ...hosts.map(
    (one) =>
      `Looked at ${one.host}: ${one.why.map((why) => WHY[why]?.(name) ?? why).join('; ')}${
        one.is_used ? '' : '; nothing was ever sent there'
      }${one.blocked ? '; blocked' : ''}`,
  ),
  ...(hosts.length > 0
    ? []
    : [
        `No inbox of ${name} is known: nothing was ever sent there, and no known account has it in its handle or actor id.`,
      ]),
  ...(blocked ? [`${name} is blocked, or not on the list of allowed servers.`] : []),
]

const servers = (n: number): string => `${n} ${n === 1 ? 'server' : 'servers'}`

const beforeLine = (before: Ended['before']): string => {
  if (before === null) return '  before: not sent'
  if (before.is_folded)
    return `  before: may have been delivered to ${servers(before.delivered)}; single deliveries are kept for thirty days`
  return `  before: delivered to ${before.delivered} of ${servers(before.servers)}`
}

const endLine = (kind: string, end: Ended['end']): string => {
  if (end === null)
    return `  ${kind}: none is stored. Its event is not processed yet, or failed for good: ctl dlq list --service federation`
  if (end.servers === 0) return `  ${kind}: sent to no server`
  const failed = end.servers - end.delivered - end.pending
  return `  ${kind}: delivered to ${end.delivered} of ${servers(end.servers)}${
    end.pending > 0 ? `, waits for ${end.pending}` : ''
  }${failed > 0 ? `, failed for ${failed}` : ''}`
}

/** Lines about a deleted status or an undone boost. With `--host`, the numbers concern that server only. */
const endedLines = (one: Ended): string[] => [
  `${one.is_boost ? 'Undone' : 'Deleted'} at ${one.at}: ${one.uri}`,
  beforeLine(one.before),
  endLine(one.is_boost ? 'Undo' : 'Delete', one.end),
  `  kept until ${one.kept_until}; after that, nothing about it is known`,
]

const REASONS: Record<NoDeliveryReason, string> = {
  unknown: 'No status and no activity with this address is known here.',
  remote: 'The status is from another server. This server sends only boosts of it by its own accounts.',
  ended: 'The status was deleted, or the boost undone, before it was sent.',
  'not-boosted': 'The account has no boost of this status.',
  'no-recipients':
    'No account elsewhere follows the author (of a boost: who boosted), and none is mentioned, answered, quoted or boosted. An enabled relay also receives public posts, but no boosts.',
  'not-public': 'The status is for followers or mentioned accounts only, and none of them is on that server.',
  blocked: 'That server is blocked, or federation is limited to other servers.',
  'author-suspended': 'The author (of a boost: who boosted) is suspended.',
  'not-processed':
    'The event is not processed yet (see MurmurationOutboxStuck and MurmurationConsumerBehind), or it failed for good: ctl dlq list --service federation.',
  'not-addressed':
    'No recipient is on that server: no follower of the author (of a boost: who boosted), and no mentioned, answered, quoted or boosted account. Or the author blocks the domain.',
  'not-kept': 'The status is older than thirty days: only servers that may have received it are known.',
}

/** Lines about statuses and boosts that were not sent to any server, with possible reasons. */
const unsentLines = ({ activities, unsent = [], reasons = [], ended_since, looked_at }: Explained): string[] => {
  if (reasons.length === 0) return []
  const to = looked_at ? ` to ${looked_at.name}` : ''
  return [
    ...(activities.length === 0 ? [`Nothing about this address was sent${to || ' to another server'}.`] : []),
    ...unsent.map((uri) => `Nothing was sent of ${uri}${to}`),
    'Possible reasons:',
    ...reasons.map((one) => `  - ${REASONS[one] ?? one}`),
    ...(ended_since
      ? [
          `Deleted statuses and undone boosts are kept for thirty days: of those that ended before ${ended_since}, nothing is known.`,
        ]
      : []),
    'docs/runbooks/one-post-not-delivered.md names the checks.',
  ]
}

/**
 * Lists the deliveries of the activities about a URL. `host`: only deliveries to this server. `by`: only deliveries of
 * boosts by this account.
 */
const explainAddress = async (
  operator: Operator,
  address: string,
  { host, by }: { host?: string | undefined; by?: string | undefined },
): Promise<Result> => {
  const data = await operator.call(explainDelivery, { activity: address, ...(host && { host }), ...(by && { by }) })
  if (by && data.by === undefined)
    throw new Error('The service federation is of an older release, which does not select the boosts of one account.')
  const { activities, looked_at, ended = [] } = data
  const text = [
    ...(looked_at ? lookedAtLines(looked_at) : []),
    ...activities.flatMap((it) => activityLines(it, looked_at !== undefined)),
    ...(data.more_boosts ? ['Older boosts are not listed.'] : []),
    ...ended.flatMap(endedLines),
    ...(data.ends_from
      ? [
          `@${by} ended very many statuses, boosts and follows: boosts that were undone before ${data.ends_from} were not looked at.`,
        ]
      : []),
    ...unsentLines(data),
  ]
  const isFound = host ? activities.some(isSent) : activities.length > 0
  return { data, text: text.join('\n') || NONE, code: isFound ? 0 : 1 }
}

type Listed = NonNullable<Explained['statuses']>[number]

const statusLine = (one: Listed): string =>
  `${one.created_at} ${one.visibility.padEnd(8)} ${one.uri}${one.boost_of === null ? '' : `, boost of ${one.boost_of}`}${
    one.ended_at === null ? '' : `, ${one.uri.endsWith('/activity') ? 'undone' : 'deleted'} at ${one.ended_at}`
  }`

/** Lists statuses and boosts by a local account, oldest first. `from`: earliest time in milliseconds since 1970. */
const explainAccount = async (operator: Operator, by: string, from: number): Promise<Result> => {
  const since = new Date(from).toISOString()
  const { statuses, more_statuses: more = false, ends_until } = await operator.call(explainDelivery, { by, since })
  if (statuses === undefined) throw new Error('The service federation is of an older release, which lists no statuses.')
  const data = { statuses, more, ...(ends_until && { ends_until }) }
  const unread = ends_until
    ? [
        `Statuses that were deleted and boosts that were undone after ${ends_until} were not looked at: give a later --at.`,
      ]
    : []
  if (statuses.length === 0)
    return { data, text: [`@${by} wrote and boosted nothing since ${since}.`, ...unread].join('\n'), code: 1 }
  const later = more ? ['Later ones are not listed: give a later --at.'] : []
  return { data, text: [...statuses.map(statusLine), ...later, ...unread].join('\n') }
}

const DAY_MS = 86_400_000

/** Whether the argument is a URL, which begins with a scheme. A handle may contain a colon, too, before the port of its domain. */
const isAddress = (given: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(given)

/** Parses the argument of `federation explain`: a URL, or the handle of a local account. */
const explainable = (given: string): string => (isAddress(given) ? given : handleName(given))

export const addExplainCommand = (federation: Group, run: Commands['run']): void => {
  federation
    .command('explain')
    .argument('<address>', 'address of a status, its page or an activity; or the name of a local account', explainable)
    .description(
      'Show where an activity, or everything about a status and its boosts, was delivered; failed deliveries first. Of an account, list the addresses of its statuses and boosts, also of deleted ones.',
    )
    .option(
      '--host <host>',
      'only deliveries to this server, with reasons if there are none: its domain, a host of it, or one of its accounts such as bob@other.example',
    )
    .option(
      '--by <account>',
      'with an address, only boosts of the status by this local account, also undone ones',
      handleName,
    )
    .option('--at <time>', 'with an account, from this time on; the last 24 hours when absent', timeOf)
    .addHelpText(
      'after',
      examples(
        'federation explain https://example.org/@alice/115000000000000001',
        'federation explain https://example.org/@alice/115000000000000001 --host far.example',
        'federation explain https://far.example/@bob/1 --by alice --host @bob@far.example',
        'federation explain alice --at 2026-12-31T18:00Z',
      ),
    )
    .action((address, { host, by, at }) => {
      const isAccount = !isAddress(address)
      if (host && isAccount) throw new InvalidArgumentError('--host belongs to an address.')
      if (by && isAccount) throw new InvalidArgumentError('--by belongs to an address.')
      if (at && !isAccount) throw new InvalidArgumentError('--at belongs to an account.')
      const from = at === undefined ? Date.now() - DAY_MS : readTime(at)
      return run((operator) =>
        isAccount ? explainAccount(operator, address, from) : explainAddress(operator, address, { host, by }),
      )()
    })
}
