/** Commands of the machine room: queues, dead letters, events sent again. */
import type { QueueState } from '@murmuration/kernel'
import { type Command, needed, type Result } from './command.js'
import type { Operator } from './operator.js'

/** Services that own data and so have queues. */
const OWNERS = ['media', 'accounts', 'statuses', 'notifications', 'federation', 'admin']

interface Letter {
  id: string
  consumer: string
  reason: string
  tries: number
  at: string
  data?: string
}

const chosen = (service: string | undefined): string[] => {
  if (service && !OWNERS.includes(service)) throw new Error(`${service} has no queues; ${OWNERS.join(', ')} do.`)
  return service ? [service] : OWNERS
}

const letters = async (operator: Operator, service: string | undefined): Promise<(Letter & { service: string })[]> => {
  const lists = await Promise.all(
    chosen(service).map(async (one) =>
      ((await operator.ops(one, 'dead-list')).letters as Letter[]).map((letter) => ({ ...letter, service: one })),
    ),
  )
  return lists.flat()
}

const owner = async (operator: Operator, id: string, service: string | undefined): Promise<string> => {
  const found = (await letters(operator, service)).find((letter) => letter.id === id)
  if (!found) throw new Error(`There is no dead letter ${id}.`)
  return found.service
}

const lines = (rows: string[]): string => (rows.length ? rows.join('\n') : 'none')

export const queueCommands: Command[] = [
  {
    name: 'queues',
    usage: 'queues [--service S]',
    about: 'what waits: outboxes, consumers, dead letters',
    async run(operator, _args, { service }): Promise<Result> {
      const states = (await Promise.all(
        chosen(service).map((one) => operator.ops(one, 'queues')),
      )) as unknown as QueueState[]
      return {
        data: states,
        text: lines(
          states.flatMap((state) => [
            `${state.service}: ${state.outbox.unsent} unsent (oldest ${state.outbox.oldestSeconds.toFixed(1)} s), ${state.deadLetters} dead`,
            ...state.consumers.map(
              (one) =>
                `  ${one.consumer.padEnd(48)} pending ${one.pending}, in hand ${one.ackPending}, again ${one.redelivered}`,
            ),
          ]),
        ),
      }
    },
  },
  {
    name: 'dlq list',
    usage: 'dlq list [--service S]',
    about: 'messages that were given up',
    async run(operator, _args, { service }) {
      const found = await letters(operator, service)
      return {
        data: found,
        text: lines(
          found.map(
            (one) => `${one.id}  ${one.service}  ${one.consumer}  ${one.reason}  after ${one.tries} tries  ${one.at}`,
          ),
        ),
      }
    },
  },
  {
    name: 'dlq show',
    usage: 'dlq show ID [--service S]',
    about: 'one of them, whole',
    async run(operator, [id], { service }) {
      const wanted = needed(id, 'ID')
      const { letter } = await operator.ops(await owner(operator, wanted, service), 'dead-show', { id: wanted })
      return { data: letter, text: JSON.stringify(letter, null, 2) }
    },
  },
  {
    name: 'dlq replay',
    usage: 'dlq replay [ID…] [--service S]',
    about: 'runs these again, or all of them',
    async run(operator, ids, { service }) {
      const all = await letters(operator, service)
      const wanted = ids.length ? ids : all.map((one) => one.id)
      const unknown = wanted.find((id) => !all.some((letter) => letter.id === id))
      if (unknown) throw new Error(`There is no dead letter ${unknown}.`)
      const results = await Promise.all(
        chosen(service).map((one) =>
          operator.ops(one, 'dead-replay', {
            ids: all
              .filter((letter) => letter.service === one && wanted.includes(letter.id))
              .map((letter) => letter.id),
          }),
        ),
      )
      const replayed = results.flatMap((one) => one.replayed as string[])
      const failed = results.flatMap((one) => one.failed as string[])
      return {
        data: { replayed, failed },
        text: `${replayed.length} replayed, ${failed.length} failed again`,
        code: failed.length ? 1 : 0,
      }
    },
  },
  {
    name: 'dlq drop',
    usage: 'dlq drop ID [--service S]',
    about: 'forgets one',
    async run(operator, [id], { service }) {
      const wanted = needed(id, 'ID')
      const answer = await operator.ops(await owner(operator, wanted, service), 'dead-drop', { id: wanted })
      return { data: answer, text: 'dropped' }
    },
  },
  {
    name: 'event replay',
    usage: 'event replay [ID…] --service S [--from TIME --to TIME]',
    about: 'announces events again; reactions that had them ignore them',
    async run(operator, ids, { service, from, to }) {
      const answer = await operator.ops(chosen(needed(service, '--service'))[0] ?? '', 'event-replay', {
        ids,
        ...(from ? { from } : {}),
        ...(to ? { to } : {}),
      })
      return { data: answer, text: `${String(answer.replayed)} events are sent again` }
    },
  },
]
