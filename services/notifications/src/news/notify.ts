/** Tells people of news: judged by what holds now, stored once, announced, and shown to open connections after the commit. */
import { fail } from '@murmuration/contracts/kit'
import { notificationCreated } from '@murmuration/contracts/notifications'
import type { LiveMessage } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import { once } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { databaseTime, keys, raised, share } from '../core/barrier.store.js'
import { insertNotifications } from '../core/notification.store.js'
import { noteRequests } from '../core/request.store.js'
import { showStand } from '../core/stand.store.js'
import { asksForDecision, groupPrefix, hourOf } from '../core/type.rules.js'
import { groupHours } from './group-hour.store.js'
import { type Judged, judge } from './judge.js'
import { type News, sources } from './news.js'
import { removeReplaced } from './undone.store.js'

/** The event or job that brought the news; each has its effect once. */
export interface Origin {
  readonly consumer: string
  readonly eventId: string
}

const MOST_TRIES = 5

const undoneKeys = ({ source, status }: News): string[] => [
  keys.undone(source),
  ...(status === null ? [] : [keys.undone(sources.status(status))]),
]

/** True when a recipient turned away from the sender after the facts were read, so that they must be read again. */
const isStale = async (tx: Tx, from: string, domain: string | null, judged: readonly Judged[], since: Date) => {
  const recipients = new Set(judged.flatMap((one) => one.told.map((told) => told.recipient)))
  const names = [...recipients].flatMap((id) => [
    keys.pair(id, from),
    ...(domain === null ? [] : [keys.domain(id, domain)]),
  ])
  return [...(await raised(tx, names)).values()].some((at) => at >= since)
}

const groupKeys = async (tx: Tx, { news, told }: Judged): Promise<(recipient: string) => string | null> => {
  const prefix = groupPrefix(news.type, news.status)
  const shown = told.filter((one) => !one.filtered).map((one) => one.recipient)
  if (prefix === null || shown.length === 0) return () => null
  const hours = await groupHours(tx, shown, prefix, hourOf(news.at))
  return (recipient) => (hours.has(recipient) ? `${prefix}-${hours.get(recipient)}` : null)
}

const showLive = (ctx: Pick<Context, 'nc'>, recipient: string, id: string): void => {
  const message: LiveMessage = { e: 'notification', id }
  if (!ctx.nc.isClosed()) ctx.nc.publish(`live.user.${recipient}`, JSON.stringify(message))
}

const store = async (ctx: Context, tx: Tx, from: string, domain: string | null, one: Judged): Promise<void> => {
  const { news, told } = one
  const at = ctx.clock.date()
  const recipients = told.map((each) => each.recipient)
  if (news.replaces) await removeReplaced(tx, news.type, news.source, recipients)
  const groupKey = await groupKeys(tx, one)
  const made = await insertNotifications(
    tx,
    { ...news, from, fromDomain: domain, detail: news.detail ?? null, at },
    told.map((each) => ({ ...each, groupKey: groupKey(each.recipient) })),
  )
  if (news.changes) await showStand(tx, news.source)
  const held = made.filter((row) => row.filtered).map((row) => row.recipient_id)
  if (asksForDecision(news.type))
    await noteRequests(
      tx,
      held,
      held.map(() => ctx.ids.next()),
      { from, fromDomain: domain, status: news.status, at },
    )
  await ctx.announce(
    tx,
    notificationCreated,
    ...made.map((row) => ({ id: row.id, recipient: row.recipient_id, type: news.type, from, filtered: row.filtered })),
  )
  tx.onCommit(() => {
    for (const row of made) if (!row.filtered) showLive(ctx, row.recipient_id, row.id)
  })
}

const tell = async (
  ctx: Context,
  tx: Tx,
  origin: Origin,
  from: string,
  { domain, judged }: Awaited<ReturnType<typeof judge>>,
  since: Date,
): Promise<'done' | 'again'> => {
  const undone = judged.flatMap((one) => undoneKeys(one.news))
  await share(tx, [...undone, keys.sender(from), ...(domain === null ? [] : [keys.host(domain)])])
  if (await isStale(tx, from, domain, judged, since)) return 'again'
  const gone = await raised(tx, undone)
  const left = judged.filter((one) => !undoneKeys(one.news).some((name) => gone.has(name)))
  await once(tx, origin, async () => {
    // One event brings one or two pieces of news, which one transaction can only store one after the other.
    for (const one of left) await store(ctx, tx, from, domain, one)
  })
  return 'done'
}

/**
 * Tells all news of one event or job, which has one sender. Safe to repeat, and in any order with what undoes it: an
 * activity that was undone first is not told, and who is blocked meanwhile is judged anew.
 */
export const notify = async (ctx: Context, origin: Origin, from: string, news: readonly News[]): Promise<void> => {
  // Most statuses name nobody, and nobody asked to be told of them.
  if (news.every((one) => one.recipients.length === 0)) return
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const since = await databaseTime(ctx.db)
    const found = await judge(ctx, from, news)
    if (found.judged.length === 0) return
    if ((await ctx.db.tx((tx) => tell(ctx, tx, origin, from, found, since))) === 'done') return
  }
  throw fail('unavailable', 'The recipients changed their minds too often meanwhile')
}
