/** Operations of administration that the kernel adds to every service: queues, dead letters, replay (`rpc.<service>.ops.*`). */

import { type ConsumerInfo, eventStream, type JetStreamManager, jobStream } from '@murmuration/bus'
import {
  type ConsumerState,
  type DeadMessage,
  type KernelOperations,
  MAX_DEAD,
  type QueueState,
} from '@murmuration/contracts/kernel'
import { errorText, invalidField, isId, type Operation } from '@murmuration/contracts/kit'
import { bigints, type Database, sql } from '@murmuration/db'
import { readTime } from '@murmuration/text/read-time'
import type { z } from 'zod'
import { ageFrom } from './backlog.js'
import type { Outbox } from './outbox.js'
import { droppedOf } from './processed-log.js'
import { type ReplayOptions, replayLetters, type StoredLetter } from './replay.js'

export type { ConsumerState, QueueState } from '@murmuration/contracts/kernel'

/** Connections needed to read queues. */
export interface Measured {
  service: string
  db: Database
  jsm: JetStreamManager
  outbox: Outbox
}

export type OperatorOptions = Measured & ReplayOptions

const oldestOf = async (jsm: JetStreamManager, stream: string, info: ConsumerInfo): Promise<number | null> => {
  if (info.num_pending + info.num_ack_pending === 0) return 0
  const before = info.num_ack_pending > 0 ? info.ack_floor.stream_seq : info.delivered.stream_seq
  const ms = await ageFrom(jsm, { stream, filter: info.config.filter_subject ?? '>' }, before + 1)
  return ms === null ? null : ms / 1_000
}

/**
 * Consumers of the service's own job queues, and of its events in all services. Each consumer has one stream, so the
 * lists of all services together contain it once.
 */
const consumers = async ({ jsm, service }: Measured, ages: boolean): Promise<ConsumerState[]> => {
  const found: Promise<ConsumerState>[] = []
  const stateOf = async (stream: string, info: ConsumerInfo): Promise<ConsumerState> => ({
    stream,
    consumer: info.name,
    pending: info.num_pending,
    ackPending: info.num_ack_pending,
    redelivered: info.num_redelivered,
    oldestSeconds: ages ? await oldestOf(jsm, stream, info) : null,
  })
  for (const stream of [eventStream(service), jobStream(service)])
    try {
      for await (const info of jsm.consumers.list(stream)) found.push(stateOf(stream, info))
    } catch (error) {
      if (!/not found/i.test(String((error as Error).message))) throw error
    }
  return Promise.all(found)
}

type DeadLetter = Omit<DeadMessage, 'at'> & { at: Date }

const messageOf = <T extends DeadLetter>({ at, ...letter }: T) => ({ ...letter, at: at.toISOString() })

/** State of the queues of this service. Reading the state also updates the metrics of the outbox of this service. */
export const queueState = async (measured: Measured, ages = false): Promise<QueueState> => {
  const [outbox, consumerList, dead] = await Promise.all([
    measured.outbox.state(),
    consumers(measured, ages),
    measured.db.row<{ n: number }>(sql`select count(*)::int as n from dead_letters`),
  ])
  return { service: measured.service, outbox, consumers: consumerList, deadLetters: dead?.n ?? 0 }
}

/** Reads a time that an operator entered. Returns `infinity` if none was entered. */
const timeOf = (name: string, given: unknown): string => {
  if (given === undefined) return 'infinity'
  const at = readTime(String(given))
  if (Number.isNaN(at)) throw invalidField(errorText('{name} is not a time such as 2026-12-31T12:00:00Z', { name }))
  return new Date(at).toISOString()
}

/** Checks ids that an operator entered. Throws for an invalid one. */
const idsOf = (given: unknown): string[] => {
  const ids = (given as string[] | undefined) ?? []
  if (!ids.every(isId)) throw invalidField('Id is not a number')
  return ids
}

type InputOf<Op> = Op extends Operation<infer I, infer _O, infer _K> ? z.output<I> : never
type OperatorHandlers = { [K in keyof KernelOperations]: (input: InputOf<KernelOperations[K]>) => Promise<unknown> }

const columns = sql`id, consumer, subject, message_id, reason, tries, at`
const MAX_LISTED = 500

/** Handlers by operation. Inputs may lack defaults, because tools on the bus send them without the contract. */
export const operatorHandlers = (options: OperatorOptions): OperatorHandlers => {
  const { db } = options
  const chosen = (ids: readonly string[]) => sql`id = any(${bigints(idsOf(ids).slice(0, MAX_DEAD))})`
  return {
    queues: ({ ages }) => queueState(options, ages),
    async listDeadLetters({ limit = MAX_LISTED, before, consumer, ids }) {
      const letters = await db.rows<DeadLetter>(sql`select ${columns} from dead_letters
        where ${before === undefined ? sql`true` : sql`id < ${before}::bigint`}
          and ${consumer === undefined ? sql`true` : sql`consumer = ${consumer}`}
          and ${ids === undefined ? sql`true` : chosen(ids)}
        order by id desc limit ${Math.min(limit, MAX_LISTED)}`)
      return { letters: letters.map(messageOf) }
    },
    async showDeadLetter({ id }) {
      const letter = await db.row<DeadLetter & { data: string }>(
        sql`select ${columns}, data from dead_letters where ${chosen([id])}`,
      )
      return { letter: letter && messageOf(letter) }
    },
    async dropDeadLetters({ ids }) {
      // A dropped message counts as handled, so the reconciler must not publish it again. The queue may also still
      // contain it, for example a job whose `gaveUp` failed. The record prevents another run.
      const gone = await db.rows<{ id: string }>(sql`
        with gone as (delete from dead_letters where ${chosen(ids)} returning id, consumer, message_id),
          recorded as (insert into consumed (consumer, event_id)
            select consumer || ${droppedOf('')}, message_id::bigint from gone where message_id ~ '^[0-9]{1,18}$'
            on conflict do nothing)
        select id from gone`)
      return { dropped: gone.map(({ id }) => id) }
    },
    async replayDeadLetters({ ids }) {
      const letters = await db.rows<StoredLetter>(
        sql`select id, consumer, message_id, data from dead_letters where ${chosen(ids)}`,
      )
      return replayLetters(options, letters)
    },
    replayEvents: async (input) => ({
      // Marks the rows as unsent and increases their replay number. The sweep publishes these events again, and
      // consumers skip those that they have processed.
      replayed: await db.run(sql`update outbox set sent_at = null, replays = replays + 1
        where subject like 'evt.%' and (id = any(${bigints(idsOf(input.ids))})
          or created_at between ${timeOf('From', input.from)}::timestamptz and ${timeOf('To', input.to)}::timestamptz)`),
    }),
  }
}

/**
 * Ids of these events that a consumer has not recorded as processed. A dead letter counts as a record, also after an
 * operator dropped it. The reconcilers of other services call this operation. `durables` are the consumers of this
 * release. Another consumer belongs to another release, whose processes handle its messages. It is `unknown`: it lacks
 * no events, but has not confirmed any either.
 */
export const missingEvents = async (
  db: Database,
  durables: ReadonlySet<string>,
  input: Record<string, unknown>,
): Promise<{ ids: string[]; unknown?: true }> => {
  const consumer = String(input.consumer)
  if (!durables.has(consumer)) return { ids: [], unknown: true }
  const ids = (input.ids as string[]).slice(0, 1_000)
  const known = await db.rows<{ event_id: string }>(
    sql`select event_id from consumed
          where consumer = any(${[consumer, droppedOf(consumer)]}::text[]) and event_id = any(${ids}::bigint[])
        union select message_id::bigint from dead_letters where consumer = ${consumer} and message_id = any(${ids}::text[])`,
  )
  const had = new Set(known.map((row) => row.event_id))
  return { ids: ids.filter((id) => !had.has(id)) }
}
