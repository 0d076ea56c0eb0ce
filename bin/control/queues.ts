/** Commands about queues, dead letters and events. */
import { Option } from '@commander-js/extra-typings'
import type { QueueState } from '@murmuration/kernel'
import type { Operator } from './operator.js'
import { type Commands, DRY_RUN, examples, idOf, NONE, removeOrTell, timeOf } from './result.js'

/** Services that own data and therefore have queues. */
const OWNERS = ['media', 'accounts', 'statuses', 'notifications', 'federation', 'admin'] as const

interface Letter {
  id: string
  consumer: string
  reason: string
  tries: number
  at: string
  data?: string
}
type Owned = Letter & { service: string }

const serviceOption = () => new Option('--service <service>', 'only this service').choices(OWNERS)
const chosen = (service: string | undefined): readonly string[] => (service ? [service] : OWNERS)

const lettersOf = async (operator: Operator, service: string | undefined): Promise<Owned[]> => {
  const lists = await Promise.all(
    chosen(service).map(async (one) =>
      ((await operator.ops(one, 'dead-list')).letters as Letter[]).map((letter) => ({ ...letter, service: one })),
    ),
  )
  return lists.flat()
}

const letterOf = async (operator: Operator, id: string, service: string | undefined): Promise<Owned> => {
  const found = (await lettersOf(operator, service)).find((letter) => letter.id === id)
  if (!found) throw new Error(`There is no dead letter ${id}.`)
  return found
}

const letterLine = (one: Owned): string =>
  `${one.id}  ${one.service}  ${one.consumer}  ${one.reason}  after ${one.tries} attempts  ${one.at}`

const queueLines = (state: QueueState): string[] => [
  `${state.service}: ${state.outbox.unsent} unsent (oldest ${state.outbox.oldestSeconds.toFixed(1)} s), ${state.deadLetters} dead letters`,
  ...state.consumers.map(
    (one) =>
      `  ${one.consumer.padEnd(48)} pending ${one.pending}, in progress ${one.ackPending}, redelivered ${one.redelivered}`,
  ),
]

const replayLetters = async (operator: Operator, ids: readonly string[], service: string | undefined) => {
  const all = await lettersOf(operator, service)
  const wanted = ids.length ? ids : all.map((one) => one.id)
  const unknown = wanted.find((id) => !all.some((letter) => letter.id === id))
  if (unknown) throw new Error(`There is no dead letter ${unknown}.`)
  const results = await Promise.all(
    chosen(service).map((one) => {
      const own = all.filter((letter) => letter.service === one && wanted.includes(letter.id))
      return operator.ops(one, 'dead-replay', { ids: own.map((letter) => letter.id) })
    }),
  )
  const replayed = results.flatMap((one) => one.replayed as string[])
  const failed = results.flatMap((one) => one.failed as string[])
  return {
    data: { replayed, failed },
    text: `${replayed.length} replayed, ${failed.length} failed again`,
    code: failed.length ? 1 : 0,
  }
}

const addDeadLetters = ({ group, run }: Commands): void => {
  const dlq = group('dlq', 'Dead letters: messages that were given up after their last attempt.')
  dlq
    .command('list')
    .description('List dead letters.')
    .addOption(serviceOption())
    .action(
      run(async (operator, { service }) => {
        const found = await lettersOf(operator, service)
        return { data: found, text: found.map(letterLine).join('\n') || NONE }
      }),
    )
  dlq
    .command('show')
    .argument('<id>', 'number of the dead letter', idOf)
    .description('Show a dead letter with its content.')
    .addOption(serviceOption())
    .action(
      run(async (operator, id, { service }) => {
        const { letter } = await operator.ops((await letterOf(operator, id, service)).service, 'dead-show', { id })
        return { data: letter, text: JSON.stringify(letter, null, 2) }
      }),
    )
  dlq
    .command('replay [ids...]')
    .description('Run these dead letters again, or all of them.')
    .addOption(serviceOption())
    .action(run((operator, ids, { service }) => replayLetters(operator, ids, service)))
  dlq
    .command('drop')
    .argument('<id>', 'number of the dead letter', idOf)
    .description('Remove a dead letter.')
    .addOption(serviceOption())
    .option(...DRY_RUN)
    .action(
      run(async (operator, id, { service, ...flags }) => {
        const letter = await letterOf(operator, id, service)
        return removeOrTell(
          flags,
          async () => letterLine(letter),
          () => operator.ops(letter.service, 'dead-drop', { id }),
        )
      }),
    )
}

export const addQueueCommands = (commands: Commands): void => {
  const { program, group, run } = commands
  program
    .command('queues')
    .description('Show what waits: outboxes, consumers, dead letters.')
    .addOption(serviceOption())
    .action(
      run(async (operator, { service }) => {
        const asked = chosen(service).map((one) => operator.ops(one, 'queues'))
        const states = (await Promise.all(asked)) as unknown as QueueState[]
        return { data: states, text: states.flatMap(queueLines).join('\n') }
      }),
    )
  addDeadLetters(commands)
  group('event', 'Events between services.')
    .command('replay [ids...]')
    .description('Publish events again. Reactions that have handled them do nothing.')
    .addOption(serviceOption().makeOptionMandatory())
    .option('--from <time>', 'first time of a range', timeOf)
    .option('--to <time>', 'last time of a range', timeOf)
    .addHelpText('after', examples('event replay --service statuses --from 2026-12-31T18:00Z --to 2026-12-31T19:00Z'))
    .action(
      run(async (operator, ids, { service, from, to }) => {
        const range = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
        const answer = await operator.ops(service, 'event-replay', { ids, ...range })
        return { data: answer, text: `${String(answer.replayed)} events are published again` }
      }),
    )
}
