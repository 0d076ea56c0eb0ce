/** Commands about other servers: what waits for them, and where something went. */
import { deliveryExplain, deliveryState, inboxRefusals } from '@murmuration/contracts/federation'
import { type Command, needed } from './commands.js'

const lines = (rows: readonly string[]): string => (rows.length ? rows.join('\n') : 'none')

export const federationCommands: Command[] = [
  {
    name: 'federation hosts',
    usage: 'federation hosts [HOST]',
    about: 'what waits for other servers, the longest queues first; one server with its health',
    async run(operator, [host]) {
      const state = await operator.ask(deliveryState, host ? { host } : {})
      const rows = state.hosts.map((one) => {
        const trouble = one.trouble && one.failures ? `, ${one.failures} failures (${one.trouble})` : ''
        const pause = one.paused_until ? `, paused until ${one.paused_until}` : ''
        const away = one.unavailable_since ? `, unavailable since ${one.unavailable_since}` : ''
        return `${one.host.padEnd(40)} ${one.waiting} waiting since ${one.oldest ?? 'never'}${trouble}${pause}${away}`
      })
      return {
        data: state,
        text: `${state.held} deliveries wait, ${state.unavailable} servers are unavailable\n${lines(rows)}`,
      }
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
    about: 'where an activity, or everything about a status, went and what came of it',
    async run(operator, [address]) {
      const { activities } = await operator.ask(deliveryExplain, { activity: needed(address, 'ADDRESS') })
      const text = activities.flatMap((it) => [
        `${it.kind} ${it.uri} of ${it.created_at}: ${Object.entries(it.counts)
          .filter(([, n]) => n > 0)
          .map(([state, n]) => `${n} ${state}`)
          .join(', ')}`,
        ...it.deliveries.map(
          (one) =>
            `  ${one.state.padEnd(9)} ${one.inbox}  attempts ${one.attempts}, status ${one.status ?? '–'}, ${one.at}`,
        ),
      ])
      return { data: activities, text: lines(text), code: activities.length ? 0 : 1 }
    },
  },
]
