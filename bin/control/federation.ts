/** Commands for other servers: their waiting deliveries and health, and refused activities. */

import {
  deliveryState,
  dropDeliveriesOfHost,
  explainDelivery,
  type HeldReason,
  type HostDetail,
  type HostState,
  inboxRefusals,
  retryHost,
  showHost,
} from '@murmuration/contracts/federation'
import { Failure } from '@murmuration/contracts/kit'
import { readTime } from '@murmuration/text'
import { addExplainCommand } from './explain.js'
import type { Operator } from './operator.js'
import { type Commands, DRY_RUN, NONE, numberUpTo, type Result, removeOrReport } from './result.js'

const lines = (rows: readonly string[]): string => rows.join('\n') || NONE

const hostLine = (one: HostState): string =>
  [
    `${one.host.padEnd(40)} ${one.waiting} waiting${one.oldest ? ` since ${one.oldest}` : ''}`,
    one.trouble && one.failures && `${one.failures} failures (${one.trouble})`,
    one.paused_until && readTime(one.paused_until) > Date.now() && `paused until ${one.paused_until}`,
    one.unavailable_since && `unavailable since ${one.unavailable_since}`,
    one.gone_inboxes && `${one.gone_inboxes} inboxes said that they are gone`,
    one.delivered_at && `accepted a delivery at ${one.delivered_at}`,
    one.failed_at && `failed at ${one.failed_at}${one.trouble && !one.failures ? ` (${one.trouble})` : ''}`,
  ]
    .filter(Boolean)
    .join(', ')

const HELD: Record<HeldReason, string> = {
  blocked: 'the server is blocked, or not on the list of allowed servers',
  unavailable: 'it failed on seven days, and gets one delivery a day',
  paused: 'it is paused after failures, or as long as it requested',
}

/**
 * Line about the accounts of a host that are stored here, and the follows between them and local accounts. Counts above
 * 10,000 are not determined.
 */
const tiesLine = ({ ties, domains = [] }: HostDetail): string =>
  ties === null
    ? 'known accounts: cannot be counted now'
    : `known accounts: ${ties.accounts}, followed from here: ${ties.following}, followers of accounts here: ${ties.followers}${
        domains.length > 0 ? ` (also with handles of ${domains.join(', ')})` : ''
      }`

/** Lines about a remote server: its circuit breaker, the reason why deliveries wait, the domain block that applies, and its accounts. */
const detailLines = (one: HostDetail): string[] => [
  hostLine(one),
  `circuit: ${one.circuit}`,
  `held: ${one.held === null ? 'no' : HELD[one.held]}`,
  `blocked: ${one.blocked ? 'yes' : 'no'}${one.rule ? `, domain block ${one.rule.domain} (${one.rule.severity})` : ''}`,
  `last signed request: ${one.received_at ?? 'never'}${one.held_activities ? `, ${one.held_activities} received activities wait` : ''}`,
  tiesLine(one),
]

const shownHost = (operator: Operator, host: string): Promise<HostDetail | null> =>
  operator.call(showHost, { host }).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  })

/** Discards all waiting deliveries to a host. The request is repeated, because each request discards only a part of them. */
const dropAll = async (operator: Operator, host: string): Promise<{ host: string; given_up: number }> => {
  let given_up = 0
  for (;;) {
    const part = await operator.call(dropDeliveriesOfHost, { host })
    given_up += part.given_up
    if (!part.more) return { host: part.host, given_up }
    process.stderr.write(`${given_up} given up so far\n`)
  }
}

/** Text about a domain to which no activity was sent: the hosts of the inboxes of its accounts. */
const unusedHost = async (operator: Operator, name: string): Promise<Result> => {
  const { looked_at } = await operator.call(explainDelivery, { host: name })
  const hosts = looked_at?.hosts.map((it) => it.host) ?? []
  const more = hosts.length > 0 ? ` Its accounts have their inboxes on: ${hosts.join(', ')}` : ''
  return { data: null, text: `Nothing was ever sent to ${name}.${more}`, code: 1 }
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
          if (shown === null) return unusedHost(operator, host)
          return { data: shown, text: detailLines(shown).join('\n') }
        }
        const state = await operator.call(deliveryState, { unavailable })
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
            async () =>
              `${(await operator.call(dropDeliveriesOfHost, { host, dry_run: true })).given_up} waiting deliveries`,
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
        const state = await operator.call(retryHost, { host })
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
        const { refusals } = await operator.call(inboxRefusals, { ...(days && { days }), ...(host && { host }) })
        const rows = refusals.map(
          (one) =>
            `${String(one.count).padStart(9)} ${one.stage.padEnd(6)} ${one.reason.padEnd(32)} last ${one.last_at}${one.last_host ? ` from ${one.last_host}` : ''}`,
        )
        return { data: refusals, text: lines(rows) }
      }),
    )
  addExplainCommand(federation, run)
}
