/** The reconciler finds events that a reaction has not recorded as processed, and publishes them again. */

import type { ConsumerInfo, JetStreamManager, NatsConnection } from '@murmuration/bus'
import { headers } from '@murmuration/bus'
import type { Database } from '@murmuration/db'
import { bigints, sql } from '@murmuration/db'
import { readTime } from '@murmuration/text/read-time'
import type { Log } from './log.js'
import type { Manifest } from './manifest.js'
import { streamsOf } from './streams.js'

export interface ReconcileOptions {
  manifest: Manifest
  db: Database
  nc: NatsConnection
  jsm: JetStreamManager
  log: Log
}

const PAGE = 1_000
/** Maximum pages of one run. With one run a minute, these are at most a thousand events a second. */
const MAX_PAGES = 60

interface Row {
  id: string
  subject: string
  /** True when the event was sent so long ago that it is sent again, although it may still be in its stream. */
  old: boolean
  /** True when the event stays unchecked, if a consumer is unknown and may belong to a newer release. */
  recent: boolean
}

/**
 * An unknown consumer that was created or used less than these milliseconds ago may belong to a newer release. Events
 * younger than this stay unchecked while there is such a consumer, because during an update an older process does not
 * know new consumers. An update takes less time. Other unknown consumers belong to an earlier release.
 */
const UNKNOWN_FOR_MS = 2 * 3_600_000

/**
 * Time after which an event without a record is sent again while its consumer has messages. It doubles with each
 * sending, because copies displace other events when a consumer is down for days.
 */
const PATIENCE = sql`interval '1 hour' * power(2, least(replays, 6))`

interface Asked {
  durable: string
  filter: string
  /** True when the consumer still has messages, so that missing records may only be late. */
  behind: boolean
  /** True when the consumer may belong to a newer release than the process that is asked. */
  mayBeNewer: boolean
}

/** `created` is old if a release is rolled out again. The time of the last delivery is absent after a restart of NATS. */
const isRecent = ({ created, delivered }: ConsumerInfo): boolean =>
  [created, delivered.last_active].some((time) => readTime(String(time)) > Date.now() - UNKNOWN_FOR_MS)

/** Durable consumers of the service's events and jobs, with their subjects. Throws if a stream of the service is missing. */
const listeners = async (options: ReconcileOptions): Promise<Asked[]> => {
  const found: Asked[] = []
  for (const { name } of streamsOf(options.manifest).filter(({ kind }) => kind !== 'live'))
    for await (const info of options.jsm.consumers.list(name))
      if (info.config.durable_name && info.config.filter_subject)
        found.push({
          durable: info.config.durable_name,
          filter: info.config.filter_subject,
          behind: info.num_pending + info.num_ack_pending > 0,
          mayBeNewer: isRecent(info),
        })
  return found
}

/** Response of `ops.lacking`. Processes of earlier releases never say `unknown`. */
interface Lacking {
  ids: string[]
  unknown?: boolean
}

/**
 * Ids of those events that the reaction has not recorded as processed. Rejects without a response, and the next run
 * repeats the request.
 */
const lacking = async (options: ReconcileOptions, durable: string, ids: string[]): Promise<Lacking> => {
  const owner = durable.slice(0, durable.indexOf('_'))
  const h = headers()
  h.set('Deadline-Ms', '5000')
  const reply = await options.nc.request(`rpc.${owner}.ops.lacking`, JSON.stringify({ consumer: durable, ids }), {
    timeout: 5_000,
    headers: h,
  })
  return JSON.parse(new TextDecoder().decode(reply.data)) as Lacking
}

/** One page of unchecked events in ascending order of their ids, after the id `from`. A page has at most PAGE events. */
const page = (options: ReconcileOptions, from: string, ageSeconds: number) =>
  options.db.rows<Row>(sql`select id, subject, sent_at < now() - ${PATIENCE} as old,
      created_at > now() - make_interval(secs => ${UNKNOWN_FOR_MS / 1_000}) as recent from outbox
    where id > ${from} and sent_at is not null and reconciled_at is null
      and created_at < now() - make_interval(secs => ${ageSeconds}) and created_at > now() - interval '7 days'
    order by id limit ${PAGE}`)

/**
 * Publishes the events of a page again that a reaction has not recorded. Marks the events that all reactions have
 * recorded. While a consumer has messages, an event that it has not recorded stays unchecked until `PATIENCE` has passed.
 * While a consumer is unknown and may be newer, each event stays unchecked until it is `UNKNOWN_FOR_MS` old.
 */
const reconcilePage = async (options: ReconcileOptions, consumers: Asked[], rows: readonly Row[]): Promise<number> => {
  const missing = new Set<string>()
  const late = new Set<string>()
  await Promise.all(
    consumers.map(async ({ durable, filter, behind, mayBeNewer }) => {
      const expected = rows.filter((row) => row.subject === filter)
      if (expected.length === 0) return
      const { ids, unknown } = await lacking(
        options,
        durable,
        expected.map((row) => row.id),
      )
      const lacked = new Set(ids)
      for (const { id, old, recent } of expected)
        if (lacked.has(id)) (behind && !old ? late : missing).add(id)
        else if (unknown && mayBeNewer && recent) late.add(id)
    }),
  )
  const again = [...missing]
  if (again.length) {
    await options.db.run(sql`update outbox set sent_at = null, replays = replays + 1 where id = any(${bigints(again)})`)
    options.log.warn({ events: again.length }, 'events that a reaction did not receive are sent again')
  }
  const recorded = rows.filter(({ id }) => !missing.has(id) && !late.has(id)).map(({ id }) => id)
  await options.db.run(sql`update outbox set reconciled_at = now() where id = any(${bigints(recorded)})`)
  return again.length
}

/**
 * Checks the unchecked events that are between five minutes and seven days old, page by page. Returns the number of
 * events that are published again. Those get a new message id, so that the duplicate window does not drop them.
 */
export const reconcile = async (options: ReconcileOptions, ageSeconds = 300): Promise<number> => {
  const { db } = options
  const isUnchecked = sql`select 1 from outbox where sent_at is not null and reconciled_at is null
    and created_at < now() - make_interval(secs => ${ageSeconds}) and created_at > now() - interval '7 days' limit 1`
  // Whether unchecked events exist is a separate statement, because it may be slow.
  if (!(await db.row(isUnchecked))) return 0
  let again = 0
  let consumers: Asked[] | undefined
  // Pages are checked one after the other, so that a long backlog needs no more memory than a page.
  for (let [from, pages] = ['0', 0]; pages < MAX_PAGES; pages++) {
    const rows = await page(options, from, ageSeconds)
    if (rows.length === 0) break
    consumers ??= await listeners(options)
    again += await reconcilePage(options, consumers, rows)
    from = rows.at(-1)?.id ?? from
    if (rows.length < PAGE) break
  }
  return again
}
