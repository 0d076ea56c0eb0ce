/** Commands for queues, dead letters and events. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import {
  type DeadLetter,
  dropDeadLetter,
  listDeadLetters,
  listQueues,
  replayDeadLetter,
  replayEvent,
  showDeadLetter,
} from '@murmuration/contracts/admin'
import { KERNEL, MAX_DEAD, OWNERS, type Owner, type QueueState } from '@murmuration/contracts/kernel'
import { chunk } from '@murmuration/flow'
import type { Operator } from './operator.js'
import { type Commands, DRY_RUN, everyPage, examples, isAway, NONE, removeOrReport, sayAway, timeOf } from './result.js'

const serviceOption = () => new Option('--service <service>', 'only this service').choices(OWNERS)
const chosen = (service: Owner | undefined): readonly Owner[] => (service ? [service] : OWNERS)

/** Parses the id of a dead letter: `statuses-12`, or only the number. */
const deadIdOf = (given: string): string => {
  if (!/^(?:[a-z]+-)?\d{1,19}$/.test(given))
    throw new InvalidArgumentError('It is the text in the first column of the list.')
  return given
}

const everyLetter = async (operator: Operator, service: Owner | undefined): Promise<DeadLetter[]> => {
  const pages = await everyPage(async (max_id) => {
    const page = await operator.call(listDeadLetters, {
      limit: 500,
      ...(max_id && { max_id }),
      ...(service && { service }),
    })
    return { ...page, next: page.next_max_id }
  })
  sayAway([...new Set(pages.flatMap((page) => page.unavailable))])
  return pages.flatMap((page) => page.dead_letters)
}

/** Returns the complete ids of dead letters, by service. Throws for an unknown dead letter. */
const fullIds = async (
  operator: Operator,
  words: readonly string[],
  service: Owner | undefined,
): Promise<DeadLetter[]> => {
  const ids = words.flatMap((word) => (word.includes('-') ? word : chosen(service).map((one) => `${one}-${word}`)))
  const found: DeadLetter[] = []
  const unavailable = new Set<string>()
  for (const some of chunk(ids, MAX_DEAD)) {
    const part = await operator.call(replayDeadLetter, { ids: some, dry_run: true })
    found.push(...part.dead_letters)
    for (const one of part.unavailable) unavailable.add(one)
  }
  const unknown = words.find((word) => !found.some(({ id }) => id === word || id.endsWith(`-${word}`)))
  if (unknown) {
    sayAway([...unavailable])
    throw new Error(`There is no dead letter ${unknown}.`)
  }
  return found
}

const letterLine = (one: DeadLetter): string =>
  `${one.id}  ${one.consumer}  ${one.reason}  after ${one.tries} attempts  ${one.at}`

const age = (seconds: number | null): string => (seconds ? ` (oldest ${seconds.toFixed(0)} s)` : '')

const queueLines = (state: QueueState): string[] => [
  `${state.service}: ${state.outbox.unsent} unsent (oldest ${state.outbox.oldestSeconds.toFixed(1)} s), ${state.deadLetters} dead letters`,
  ...state.consumers.map(
    (one) =>
      `  ${one.consumer.padEnd(48)} pending ${one.pending}${age(one.oldestSeconds)}, in progress ${one.ackPending}, redelivered ${one.redelivered}`,
  ),
]

const replayLetters = async (operator: Operator, words: readonly string[], service: Owner | undefined) => {
  const letters = words.length ? await fullIds(operator, words, service) : await everyLetter(operator, service)
  const ids = letters.map((one) => one.id)
  const results = { done: [] as string[], queued: [] as string[], failed: [] as string[], missing: [] as string[] }
  const unavailable = new Set<string>()
  for (const some of chunk(ids, MAX_DEAD)) {
    const part = await operator.call(replayDeadLetter, { ids: some })
    results.done.push(...part.done)
    results.queued.push(...(part.queued ?? []))
    results.failed.push(...part.failed)
    results.missing.push(...part.missing)
    for (const one of part.unavailable) unavailable.add(one)
  }
  sayAway([...unavailable])
  const { done, queued, failed, missing } = results
  const waiting = queued.length > 0 ? `, ${queued.length} not finished yet (dlq list shows those that fail)` : ''
  const gone = missing.length > 0 ? `, ${missing.length} no longer exist` : ''
  return {
    data: { replayed: done, queued, failed, missing },
    text: `${done.length - queued.length} replayed, ${failed.length} failed again${waiting}${gone}`,
    code: failed.length ? 1 : 0,
  }
}

const addDeadLetters = ({ group, run }: Commands): void => {
  const dlq = group('dlq', 'Dead letters: messages that failed at their last try.')
  dlq
    .command('list')
    .description('List dead letters.')
    .addOption(serviceOption())
    .action(
      run(async (operator, { service }) => {
        const found = await everyLetter(operator, service)
        return { data: found, text: found.map(letterLine).join('\n') || NONE }
      }),
    )
  dlq
    .command('show')
    .argument('<id>', 'id of the dead letter', deadIdOf)
    .description('Show a dead letter with its content.')
    .addOption(serviceOption())
    .action(
      run(async (operator, word, { service }) => {
        const [{ id = '' } = {}] = await fullIds(operator, [word], service)
        const letter = await operator.call(showDeadLetter, { id })
        return { data: letter, text: JSON.stringify(letter, null, 2) }
      }),
    )
  dlq
    .command('replay [ids...]')
    .description('Run these dead letters again, or all of them.')
    .addOption(serviceOption())
    .action(run((operator, ids, { service }) => replayLetters(operator, ids.map(deadIdOf), service)))
  dlq
    .command('drop')
    .argument('<id>', 'id of the dead letter', deadIdOf)
    .description('Remove a dead letter.')
    .addOption(serviceOption())
    .option(...DRY_RUN)
    .action(
      run(async (operator, word, { service, ...flags }) => {
        const letters = await fullIds(operator, [word], service)
        return removeOrReport(
          flags,
          async () => letters.map(letterLine).join('\n'),
          async () => {
            const { failed } = await operator.call(dropDeadLetter, { ids: letters.map(({ id }) => id) })
            if (failed.length > 0)
              throw new Error(`Not removed, because the service did not respond: ${failed.join(', ')}`)
          },
        )
      }),
    )
}

/** The queues of all services. If the admin service does not respond, each service is asked for its own queues. */
const everyQueue = async (operator: Operator): Promise<QueueState[]> => {
  try {
    const { services, unavailable } = await operator.call(listQueues, {})
    sayAway(unavailable)
    return services
  } catch (error) {
    if (!isAway(error)) throw error
    const responses = await Promise.allSettled(OWNERS.map((one) => operator.call(KERNEL[one].queues, { ages: true })))
    sayAway(OWNERS.filter((_, n) => responses[n]?.status === 'rejected'))
    return responses.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  }
}

export const addQueueCommands = (commands: Commands): void => {
  const { program, group, run } = commands
  program
    .command('queues')
    .description('Show waiting messages: outboxes, consumers, dead letters.')
    .addOption(serviceOption())
    .action(
      run(async (operator, { service }) => {
        const states = (await everyQueue(operator)).filter((one) => !service || one.service === service)
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
    .action((ids, { service, from, to }) => {
      if (ids.length === 0 && from === undefined) throw new InvalidArgumentError('Give ids of events, or --from.')
      return run(async (operator) => {
        const response = await operator.call(replayEvent, { service, ids, ...(from && { from }), ...(to && { to }) })
        return { data: response, text: `${response.replayed} events are published again` }
      })()
    })
}
