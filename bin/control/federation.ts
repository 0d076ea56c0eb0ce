/** Commands for deliveries: waiting ones by server, and those of one status. */
import { InvalidArgumentError } from '@commander-js/extra-typings'
import {
  deliveryDrop,
  deliveryExplain,
  deliveryState,
  type HeldReason,
  type HostDetail,
  type HostState,
  hostRetry,
  hostShow,
  inboxRefusals,
  type NoDeliveryReason,
} from '@murmuration/contracts/federation'
import { Failure, type ResultOf, readTime } from '@murmuration/contracts/kit'
import { localName } from './account-names.js'
import { statusesFrom } from './explained-account.js'
import type { Operator } from './operator.js'
import { type Commands, DRY_RUN, examples, NONE, numberUpTo, type Result, removeOrReport, timeOf } from './result.js'

type Explained = ResultOf<(typeof deliveryExplain)['output']>

const lines = (rows: readonly string[]): string => rows.join('\n') || NONE

const hostLine = (one: HostState): string =>
  [
    `${one.host.padEnd(40)} ${one.waiting} waiting${one.oldest ? ` since ${one.oldest}` : ''}`,
    one.trouble && one.failures && `${one.failures} failures (${one.trouble})`,
    one.paused_until && `paused until ${one.paused_until}`,
    one.unavailable_since && `unavailable since ${one.unavailable_since}`,
    one.gone_inboxes && `${one.gone_inboxes} inboxes said that they are gone`,
    one.delivered_at && `accepted a delivery at ${one.delivered_at}`,
    one.failed_at && `failed at ${one.failed_at}`,
  ]
    .filter(Boolean)
    .join(', ')

const HELD: Record<HeldReason, string> = {
  blocked: 'the server is blocked, or not on the list of allowed servers',
  unavailable: 'it failed on seven days, and gets one delivery a day as a probe',
  paused: 'it is paused after failures, or as long as it requested',
}

/** Line about the known accounts of a host, and the follows between them and local accounts. Counts end at 10,000. */
const tiesLine = ({ ties }: HostDetail): string =>
  ties === null
    ? 'known accounts: cannot be counted now'
    : `known accounts: ${ties.accounts}, followed from here: ${ties.following}, followers of accounts here: ${ties.followers}`

/** Lines about a host: its circuit, the reason why deliveries are held, the domain block that applies, and its accounts. */
const detailLines = (one: HostDetail): string[] => [
  hostLine(one),
  `circuit: ${one.circuit}`,
  `held: ${one.held === null ? 'no' : HELD[one.held]}`,
  `blocked: ${one.blocked ? 'yes' : 'no'}${one.rule ? `, domain block ${one.rule.domain} (${one.rule.severity})` : ''}`,
  `last signed request: ${one.received_at ?? 'never'}${one.held_activities ? `, ${one.held_activities} received activities wait` : ''}`,
  tiesLine(one),
]

const shownHost = (operator: Operator, host: string): Promise<HostDetail | null> =>
  operator.ask(hostShow, { host }).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  })

/** Line about a delivery: its state, and the time of its next attempt or of its end. */
const deliveryLine = (one: Explained['activities'][number]['deliveries'][number]): string => {
  const tried = one.attempts === 0 ? 'not tried' : `attempts ${one.attempts}, status ${one.status ?? '–'}`
  return `  ${one.state.padEnd(9)} ${one.inbox}  ${tried}, ${one.state === 'pending' ? 'next at ' : ''}${one.at}`
}

const countsLine = ({ counts }: Explained['activities'][number]): string =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([state, n]) => `${n} ${state}`)
    .join(', ') || 'not sent'

const REASONS: Record<NoDeliveryReason, string> = {
  unknown: 'No status and no activity with this address is known here.',
  remote: 'The status is from another server. This server sends only boosts of it by its own accounts.',
  ended:
    'The status was deleted, or the boost undone: before it was sent, or so long ago that its deliveries are no longer stored.',
  'no-recipients':
    'No account elsewhere follows the author (of a boost: who boosted), and none is mentioned, answered, quoted or boosted. A public post is also sent to relays, but none is enabled.',
  'not-public': 'The status is for followers or mentioned accounts only, and none of them is on that server.',
  blocked: 'That server is blocked, or federation is limited to other servers.',
  'author-suspended': 'The author (of a boost: who boosted) is suspended.',
  'not-processed':
    'The event is not processed yet (see MurmurationOutboxStuck and MurmurationConsumerBehind), or it failed for good: ctl dlq list --service federation.',
  'not-addressed':
    'No recipient is on that server: no follower of the author (of a boost: who boosted), and no mentioned, answered, quoted or boosted account. Or the author blocks the domain.',
  'not-kept': 'The status is older than thirty days: only servers that may have received it are known.',
}

/** Lines about statuses that were not sent, with possible reasons. */
const unsentLines = ({ activities, unsent = [], reasons = [] }: Explained, host?: string): string[] =>
  reasons.length === 0
    ? []
    : [
        ...(activities.length === 0 ? [`Nothing about this address was sent to ${host ?? 'another server'}.`] : []),
        ...unsent.map((uri) => `Nothing was sent of ${uri}${host ? ` to ${host}` : ''}`),
        'Possible reasons:',
        ...reasons.map((one) => `  - ${REASONS[one] ?? one}`),
        'docs/runbooks/one-post-not-delivered.md names the checks.',
      ]

/** Discards all deliveries to a host. Repeats the request, because each one discards only a part. */
const dropAll = async (operator: Operator, host: string): Promise<{ host: string; given_up: number }> => {
  let given_up = 0
  for (;;) {
    const part = await operator.ask(deliveryDrop, { host })
    given_up += part.given_up
    if (!part.more) return { host: part.host, given_up }
    process.stderr.write(`${given_up} given up so far\n`)
  }
}

const DAY_MS = 86_400_000

/** True for an address; names of accounts have no colon. */
const isAddress = (given: string): boolean => given.includes(':')

/** Parser of an address or of the name of a local account. */
const explainable = (given: string): string => (isAddress(given) ? given : localName(given))

/** Lists the deliveries of an address; with `host` those to one server. */
const explainAddress = async (operator: Operator, address: string, host: string | undefined): Promise<Result> => {
  const explained = await operator.ask(deliveryExplain, { activity: address, ...(host && { host }) })
  const { activities } = explained
  const text = activities.flatMap((it) => [
    `${it.kind} ${it.uri} of ${it.created_at}${it.boost_of ? `, boost of ${it.boost_of}` : ''}: ${countsLine(it)}`,
    ...it.deliveries.map(deliveryLine),
    ...(it.more > 0 ? [`  … and ${it.more} more`] : []),
  ])
  if (explained.more_boosts) text.push('Older boosts are not listed.')
  text.push(...unsentLines(explained, host))
  const isSent = activities.some((it) => Object.values(it.counts).some((n) => n > 0))
  return { data: explained, text: lines(text), code: (host ? isSent : activities.length) ? 0 : 1 }
}

export const addFederationCommands = ({ group, run }: Commands): void => {
  const federation = group('federation', 'Other servers: queues, health and deliveries.')
  federation
    .command('hosts [host]')
    .description('List servers with waiting deliveries, longest queues first, or show one server with its health.')
    .option('--unavailable', 'only servers that are unavailable')
    .action(
      run(async (operator, host, { unavailable = false }) => {
        if (host) {
          const shown = await shownHost(operator, host)
          if (shown === null) return { data: null, text: `Nothing was ever sent to ${host}.`, code: 1 }
          return { data: shown, text: detailLines(shown).join('\n') }
        }
        const state = await operator.ask(deliveryState, { unavailable })
        const sum = `${state.held} deliveries wait, ${state.unavailable} servers are unavailable`
        return { data: state, text: `${sum}\n${lines(state.hosts.map(hostLine))}` }
      }),
    )
  federation
    .command('drop <host>')
    .description('Discard all waiting deliveries of a server that no longer exists.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, host, { dryRun }) => {
        if (dryRun)
          return removeOrReport(
            { dryRun },
            async () => `${(await operator.ask(deliveryDrop, { host, dry_run: true })).given_up} waiting deliveries`,
            async () => undefined,
          )
        const dropped = await dropAll(operator, host)
        return { data: dropped, text: `${dropped.given_up} deliveries to ${dropped.host} are given up` }
      }),
    )
  federation
    .command('retry <host>')
    .description('End the pause of a server: send one waiting delivery now, and the others if it succeeds.')
    .action(
      run(async (operator, host) => {
        const state = await operator.ask(hostRetry, { host })
        return { data: state, text: detailLines(state).join('\n') }
      }),
    )
  federation
    .command('refusals')
    .argument('[days]', 'how far back; seven days when absent', numberUpTo(31))
    .description('List refused activities by reason, most frequent reason first.')
    .option('--host <host>', 'only activities of this server')
    .action(
      run(async (operator, days, { host }) => {
        const { refusals } = await operator.ask(inboxRefusals, { ...(days && { days }), ...(host && { host }) })
        const rows = refusals.map(
          (one) =>
            `${String(one.count).padStart(9)} ${one.stage.padEnd(6)} ${one.reason.padEnd(32)} last ${one.last_at}${one.last_host ? ` from ${one.last_host}` : ''}`,
        )
        return { data: refusals, text: lines(rows) }
      }),
    )
  federation
    .command('explain')
    .argument('<address>', 'address of a status, its page or an activity; or the name of a local account', explainable)
    .description(
      'Show where an activity, or everything about a status and its boosts, was delivered; failed deliveries first. Of an account, list the addresses of its statuses and boosts.',
    )
    .option('--host <host>', 'only deliveries to this server, with reasons if there are none')
    .option('--at <time>', 'with an account, from this time on; the last 24 hours when absent', timeOf)
    .addHelpText(
      'after',
      examples(
        'federation explain https://example.org/@alice/115000000000000001',
        'federation explain https://example.org/@alice/115000000000000001 --host far.example',
        'federation explain alice --at 2026-12-31T18:00Z',
      ),
    )
    .action((address, { host, at }) => {
      const isAccount = !isAddress(address)
      if (host && isAccount) throw new InvalidArgumentError('--host belongs to an address.')
      if (at && !isAccount) throw new InvalidArgumentError('--at belongs to an account.')
      const from = at === undefined ? Date.now() - DAY_MS : readTime(at)
      return run((operator) =>
        isAccount ? statusesFrom(operator, address, from) : explainAddress(operator, address, host),
      )()
    })
}
