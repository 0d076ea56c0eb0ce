/** The reconciler: finds events that a reaction never got, whatever happened to the bus, and sends them again. */

import type { JetStreamManager, NatsConnection } from '@murmuration/bus'
import { eventStream, headers, jobStream } from '@murmuration/bus'
import type { Database } from '@murmuration/db'
import { sql } from '@murmuration/db'
import type { Log } from './log.js'

export interface ReconcileOptions {
  service: string
  db: Database
  nc: NatsConnection
  jsm: JetStreamManager
  log: Log
}

const PAGE = 1_000

interface Asked {
  durable: string
  filter: string
  /** Still has messages to work on, so that what it lacks may only be late. */
  behind: boolean
}

/** The durables that hear our events and work our jobs, with the subject of each. */
const listeners = async (options: ReconcileOptions): Promise<Asked[]> => {
  const found: Asked[] = []
  for (const stream of [eventStream(options.service), jobStream(options.service)])
    for await (const info of options.jsm.consumers.list(stream))
      if (info.config.durable_name && info.config.filter_subject)
        found.push({
          durable: info.config.durable_name,
          filter: info.config.filter_subject,
          behind: info.num_pending + info.num_ack_pending > 0,
        })
  return found
}

/** Which of these events the reaction has no note of. Nobody answering means: ask again next time. */
const lacking = async (options: ReconcileOptions, asked: Asked, ids: string[]): Promise<string[]> => {
  const owner = asked.durable.slice(0, asked.durable.indexOf('_'))
  const h = headers()
  h.set('Deadline-Ms', '5000')
  const reply = await options.nc.request(`rpc.${owner}.ops.lacking`, JSON.stringify({ consumer: asked.durable, ids }), {
    timeout: 5_000,
    headers: h,
  })
  return (JSON.parse(new TextDecoder().decode(reply.data)) as { ids: string[] }).ids
}

/**
 * Looks at one page of events between five minutes and seven days old that were not looked at before.
 * Returns how many were sent again; they carry a new message id, so that the duplicate window does not drop them.
 */
export const reconcile = async (options: ReconcileOptions, ageSeconds = 300): Promise<number> => {
  const rows = await options.db.rows<{ id: string; subject: string }>(sql`select id, subject from outbox
    where sent_at is not null and reconciled_at is null
      and created_at < now() - make_interval(secs => ${ageSeconds}) and created_at > now() - interval '7 days'
    order by id limit ${PAGE}`)
  if (rows.length === 0) return 0
  const consumers = await listeners(options)
  const late = new Set(consumers.filter((one) => one.behind).map((one) => one.filter))
  const missing = new Set<string>()
  await Promise.all(
    consumers.map(async (consumer) => {
      if (consumer.behind) return
      const ids = rows.filter((row) => row.subject === consumer.filter).map((row) => row.id)
      if (ids.length) for (const id of await lacking(options, consumer, ids)) missing.add(id)
    }),
  )
  const again = [...missing]
  if (again.length) {
    await options.db.run(
      sql`update outbox set sent_at = null, replays = replays + 1 where id = any(${again}::bigint[])`,
    )
    options.log.warn({ events: again.length }, 'events that a reaction never got are sent again')
  }
  const settled = rows.filter((row) => !missing.has(row.id) && !late.has(row.subject)).map((row) => row.id)
  await options.db.run(sql`update outbox set reconciled_at = now() where id = any(${settled}::bigint[])`)
  return again.length
}
