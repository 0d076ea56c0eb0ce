/** Commands about other servers: what waits for them, and where something went. */
import {
  deliveryDrop,
  deliveryExplain,
  deliveryState,
  type HostState,
  inboxRefusals,
} from '@murmuration/contracts/federation'
import type { ResultOf } from '@murmuration/contracts/kit'
import { type Command, needed } from './command.js'
import type { Operator } from './operator.js'

type Explained = ResultOf<(typeof deliveryExplain)['output']>

const lines = (rows: readonly string[]): string => (rows.length ? rows.join('\n') : 'none')

const hostLine = (one: HostState): string =>
  [
    `${one.host.padEnd(40)} ${one.waiting} waiting${one.oldest ? ` since ${one.oldest}` : ''}`,
    one.trouble && one.failures && `${one.failures} failures (${one.trouble})`,
    one.paused_until && `paused until ${one.paused_until}`,
    one.unavailable_since && `unavailable since ${one.unavailable_since}`,
    one.gone_inboxes && `${one.gone_inboxes} inboxes said that they are gone`,
    one.delivered_at && `took something at ${one.delivered_at}`,
    one.failed_at && `failed at ${one.failed_at}`,
  ]
    .filter(Boolean)
    .join(', ')

/** What happened to a delivery, and when: the next try of one that waits, else when it was settled. */
const deliveryLine = (one: Explained['activities'][number]['deliveries'][number]): string => {
  const tried = one.attempts === 0 ? 'not tried' : `attempts ${one.attempts}, status ${one.status ?? '–'}`
  return `  ${one.state.padEnd(9)} ${one.inbox}  ${tried}, ${one.state === 'pending' ? 'next at ' : ''}${one.at}`
}

/** A request gives up a part; how far it is goes where `--json` is not disturbed. */
const dropAll = async (operator: Operator, host: string): Promise<{ host: string; given_up: number }> => {
  let given_up = 0
  for (;;) {
    const part = await operator.ask(deliveryDrop, { host })
    given_up += part.given_up
    if (!part.more) return { host: part.host, given_up }
    process.stderr.write(`${given_up} given up so far\n`)
  }
}

export const federationCommands: Command[] = [
  {
    name: 'federation hosts',
    usage: 'federation hosts [HOST] [--unavailable]',
    about:
      'what waits for other servers, the longest queues first; one server with its health; or those that are unavailable',
    async run(operator, [host], { unavailable = false }) {
      const state = await operator.ask(deliveryState, { unavailable, ...(host && { host }) })
      if (host && state.hosts.length === 0 && !unavailable)
        return { data: state, text: `Nothing was ever sent to ${host}.`, code: 1 }
      return {
        data: state,
        text: `${state.held} deliveries wait, ${state.unavailable} servers are unavailable\n${lines(state.hosts.map(hostLine))}`,
      }
    },
  },
  {
    name: 'federation drop',
    usage: 'federation drop HOST',
    about: 'gives up what waits for a server that is gone for good',
    async run(operator, [host]) {
      const dropped = await dropAll(operator, needed(host, 'HOST'))
      return { data: dropped, text: `${dropped.given_up} deliveries to ${dropped.host} are given up` }
    },
  },
  {
    name: 'federation refusals',
    usage: 'federation refusals [DAYS]',
    about: 'what the inboxes did not take and why, the most frequent first; of seven days unless told otherwise',
    async run(operator, [days]) {
      const { refusals } = await operator.ask(inboxRefusals, days ? { days: Number(days) } : {})
      const rows = refusals.map(
        (one) =>
          `${String(one.count).padStart(9)} ${one.stage.padEnd(6)} ${one.reason.padEnd(32)} last ${one.last_at}${one.last_host ? ` from ${one.last_host}` : ''}`,
      )
      return { data: refusals, text: lines(rows) }
    },
  },
  {
    name: 'federation explain',
    usage: 'federation explain ADDRESS',
    about: 'where an activity, or everything about a status, went and what came of it; what did not arrive first',
    async run(operator, [address]) {
      const { activities } = await operator.ask(deliveryExplain, { activity: needed(address, 'ADDRESS') })
      const text = activities.flatMap((it) => [
        `${it.kind} ${it.uri} of ${it.created_at}: ${Object.entries(it.counts)
          .filter(([, n]) => n > 0)
          .map(([state, n]) => `${n} ${state}`)
          .join(', ')}`,
        ...it.deliveries.map(deliveryLine),
        ...(it.more > 0 ? [`  … and ${it.more} more`] : []),
      ])
      return { data: activities, text: lines(text), code: activities.length ? 0 : 1 }
    },
  },
]
