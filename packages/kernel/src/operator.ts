/** The operator's view of every service: queues, dead letters, replay; answered under `rpc.<service>.ops.*`. */
import { eventStream, type JetStreamManager, jobStream } from '@murmuration/bus'
import { invalidField, isId } from '@murmuration/contracts/kit'
import { type Database, sql } from '@murmuration/db'
import type { Outbox } from './outbox.js'

export interface ConsumerState {
  stream: string
  consumer: string
  pending: number
  ackPending: number
  redelivered: number
}

export interface QueueState {
  service: string
  outbox: { unsent: number; oldestSeconds: number }
  consumers: ConsumerState[]
  deadLetters: number
}

/** What is needed to see what waits. */
export interface Measured {
  service: string
  db: Database
  jsm: JetStreamManager
  outbox: Outbox
}

export interface OperatorOptions extends Measured {
  /** Runs a dead letter again in this process. */
  redo(letter: DeadLetter & { data: string }): Promise<void>
}

/** Own job queues and everybody's reactions to own events, so that all services together show each consumer once. */
const consumers = async ({ jsm, service }: Measured): Promise<ConsumerState[]> => {
  const found: ConsumerState[] = []
  for (const stream of [eventStream(service), jobStream(service)])
    try {
      for await (const info of jsm.consumers.list(stream)) {
        found.push({
          stream,
          consumer: info.name,
          pending: info.num_pending,
          ackPending: info.num_ack_pending,
          redelivered: info.num_redelivered,
        })
      }
    } catch (error) {
      if (!/not found/i.test(String((error as Error).message))) throw error
    }
  return found
}

interface DeadLetter {
  id: string
  consumer: string
  subject: string
  message_id: string
  reason: string
  tries: number
  at: Date
  data?: string
}

/** What waits in this service, also written to its figures. */
export const queueState = async (measured: Measured): Promise<QueueState> => {
  const [outbox, consumerList, dead] = await Promise.all([
    measured.outbox.state(),
    consumers(measured),
    measured.db.row<{ n: number }>(sql`select count(*)::int as n from dead_letters`),
  ])
  return { service: measured.service, outbox, consumers: consumerList, deadLetters: dead?.n ?? 0 }
}

/** A time as operators type it, for PostgreSQL; without one never. */
const timeOf = (name: string, given: unknown): string => {
  if (given === undefined) return 'infinity'
  const at = Date.parse(String(given))
  if (Number.isNaN(at)) throw invalidField(`${name} is not a time such as 2026-12-31T12:00:00Z`)
  return new Date(at).toISOString()
}

/** Ids as operators type them. */
const idsOf = (given: unknown): string[] => {
  const ids = (given as string[] | undefined) ?? []
  if (!ids.every(isId)) throw invalidField('Id is not a number')
  return ids
}

type Ask = (input: Record<string, unknown>) => Promise<unknown>

/** The built-in questions, by verb. */
export const operatorQuestions = (options: OperatorOptions): Record<string, Ask> => {
  const { db } = options
  return {
    queues: () => queueState(options),
    async lacking(input) {
      const ids = (input.ids as string[]).slice(0, 1_000)
      const known = await db.rows<{ event_id: string }>(
        sql`select event_id from consumed where consumer = ${String(input.consumer)} and event_id = any(${ids}::bigint[])
            union select message_id::bigint from dead_letters where consumer = ${String(input.consumer)} and message_id = any(${ids}::text[])`,
      )
      const had = new Set(known.map((row) => row.event_id))
      return { ids: ids.filter((id) => !had.has(id)) }
    },
    'dead-list': async () => ({
      letters: await db.rows<DeadLetter>(
        sql`select id, consumer, subject, message_id, reason, tries, at from dead_letters order by id desc limit 500`,
      ),
    }),
    'dead-show': async (input) => ({
      letter: await db.row<DeadLetter>(sql`select * from dead_letters where id = ${String(input.id)}`),
    }),
    'dead-drop': async (input) => ({
      dropped: await db.run(sql`delete from dead_letters where id = ${String(input.id)}`),
    }),
    async 'dead-replay'(input) {
      const letters = await db.rows<DeadLetter & { data: string }>(
        sql`select * from dead_letters where id = any(${(input.ids as string[]).slice(0, 100)}::bigint[])`,
      )
      const results = await Promise.allSettled(letters.map((letter) => options.redo(letter)))
      const done = letters.filter((_, i) => results[i]?.status === 'fulfilled').map((letter) => letter.id)
      await db.run(sql`delete from dead_letters where id = any(${done}::bigint[])`)
      return { replayed: done, failed: letters.map((letter) => letter.id).filter((id) => !done.includes(id)) }
    },
    'event-replay': async (input) => ({
      // Marking them unsent with a new number is all: the sweep publishes, consumers that had them ignore them.
      replayed: await db.run(sql`update outbox set sent_at = null, replays = replays + 1
        where subject like 'evt.%' and (id = any(${idsOf(input.ids)}::bigint[])
          or created_at between ${timeOf('From', input.from)}::timestamptz and ${timeOf('To', input.to)}::timestamptz)`),
    }),
  }
}
