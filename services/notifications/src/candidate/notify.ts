/** Evaluates notification candidates, stores each notification once, announces it, and sends it to open streams after the commit. */
import { fail } from '@murmuration/contracts/kit'
import { notificationCreated } from '@murmuration/contracts/notifications'
import type { LiveMessage } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import { processOnce, publishCoreMessage } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { barriersAmong, databaseTime, keys, lockShared } from '../core/barrier.store.js'
import { insertNotifications } from '../core/notification.store.js'
import { countInRequests } from '../core/request.store.js'
import { mergeSourceState } from '../core/source-state.store.js'
import { asksForDecision, groupPrefix, hourOf } from '../core/type.rules.js'
import { type Candidate, sources } from './candidate.js'
import { type Evaluated, evaluate } from './evaluate.js'
import { groupHours } from './group-hour.store.js'
import { removeReplaced } from './undone.store.js'

/** The event or job that caused the candidates. Together, `consumer` and `eventId` are the key of the processed-message log. */
export interface Origin {
  readonly consumer: string
  readonly eventId: string
}

/** Maximum number of times that candidates are evaluated, because recipients may block the sender meanwhile. */
const MAX_TRIES = 5

/** Keys of the barriers that show whether the activity was undone or its status deleted. */
const undoneKeys = ({ source, status }: Candidate): string[] => [
  keys.undone(source),
  ...(status === null ? [] : [keys.undone(sources.status(status))]),
]

/**
 * Whether a recipient blocked or muted the sender, accepted its notification request, or was deleted after `since`. Then
 * data that were loaded at `since` are outdated.
 */
const isStale = async (tx: Tx, from: string, domain: string | null, evaluated: readonly Evaluated[], since: Date) => {
  const recipients = new Set(evaluated.flatMap((one) => one.notified.map(({ recipient }) => recipient)))
  const names = [...recipients].flatMap((id) => [
    keys.pair(id, from),
    keys.removed(id),
    ...(domain === null ? [] : [keys.domain(id, domain)]),
  ])
  return [...(await barriersAmong(tx, names)).values()].some((at) => at >= since)
}

/**
 * Returns a function from a recipient to the group key of the notification. The key is null for filtered notifications
 * and for types without groups.
 */
const groupKeys = async (tx: Tx, { candidate, notified }: Evaluated): Promise<(recipient: string) => string | null> => {
  const prefix = groupPrefix(candidate.type, candidate.status)
  const shown = notified.filter((one) => !one.filtered).map((one) => one.recipient)
  if (prefix === null || shown.length === 0) return () => null
  const hours = await groupHours(tx, shown, prefix, hourOf(candidate.at))
  return (recipient) => (hours.has(recipient) ? `${prefix}-${hours.get(recipient)}` : null)
}

/** Publishes a notification to the open streams of its recipient. */
const showLive = (ctx: Pick<Context, 'nc'>, recipient: string, id: string): void => {
  const message: LiveMessage = { e: 'notification', id }
  publishCoreMessage(ctx.nc, `live.user.${recipient}`, JSON.stringify(message))
}

/** Stores the notifications of one candidate, updates notification requests, and announces `notificationCreated` for each new row. */
const store = async (ctx: Context, tx: Tx, from: string, domain: string | null, one: Evaluated): Promise<void> => {
  const { candidate, notified } = one
  const at = ctx.clock.date()
  const recipients = notified.map((each) => each.recipient)
  if (candidate.replaces) await removeReplaced(tx, candidate.type, candidate.source, recipients)
  const groupKey = await groupKeys(tx, one)
  const made = await insertNotifications(
    tx,
    { ...candidate, from, fromDomain: domain, detail: candidate.detail ?? null, at },
    notified.map((each) => ({ ...each, groupKey: groupKey(each.recipient) })),
  )
  if (candidate.changes) await mergeSourceState(tx, candidate.source)
  const held = made.filter((row) => row.filtered).map((row) => row.recipient_id)
  if (asksForDecision(candidate.type))
    await countInRequests(
      tx,
      held,
      held.map(() => ctx.ids.next()),
      { from, fromDomain: domain, status: candidate.status, at },
    )
  await ctx.announce(
    tx,
    notificationCreated,
    ...made.map((row) => ({
      id: row.id,
      recipient: row.recipient_id,
      type: candidate.type,
      from,
      filtered: row.filtered,
    })),
  )
  tx.onCommit(() => {
    for (const row of made) if (!row.filtered) showLive(ctx, row.recipient_id, row.id)
  })
}

/**
 * Stores the notifications of candidates, except candidates that were undone or whose sender was deleted. Returns `again` if the data that were
 * loaded at `since` are outdated.
 */
const storeAll = async (
  ctx: Context,
  tx: Tx,
  origin: Origin,
  from: string,
  { domain, evaluated }: Awaited<ReturnType<typeof evaluate>>,
  since: Date,
): Promise<'done' | 'again'> => {
  const undone = evaluated.flatMap((one) => undoneKeys(one.candidate))
  const hosts = domain === null ? [] : [keys.host(domain)]
  await lockShared(tx, [...undone, keys.sender(from), keys.removals, ...hosts])
  if (await isStale(tx, from, domain, evaluated, since)) return 'again'
  const removed = keys.removed(from)
  const gone = await barriersAmong(tx, [...undone, removed])
  const left = gone.has(removed)
    ? []
    : evaluated.filter((one) => !undoneKeys(one.candidate).some((name) => gone.has(name)))
  await processOnce(tx, origin, async () => {
    // The candidates are stored one after the other: an event has one or two candidates, and the statements of one
    // transaction cannot run in parallel.
    for (const one of left) await store(ctx, tx, from, domain, one)
  })
  return 'done'
}

/**
 * Notifies accounts of the candidates of one event or job. All candidates have the sender `from`. A repeated call for the
 * same `origin` stores no second notification.
 *
 * | Meanwhile | Effect |
 * |---|---|
 * | the activity was undone, even before this call | its candidate is skipped |
 * | the sender was permanently deleted | all candidates are skipped |
 * | a recipient blocked or muted the sender, accepted its request, or was deleted | the candidates are evaluated again, MAX_TRIES times at most |
 */
export const notify = async (
  ctx: Context,
  origin: Origin,
  from: string,
  candidates: readonly Candidate[],
): Promise<void> => {
  // Most events need no further work, because most statuses mention no account and notify no follower.
  if (candidates.every((one) => one.recipients.length === 0)) return
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const since = await databaseTime(ctx.db)
    const found = await evaluate(ctx, from, candidates)
    if (found.evaluated.length === 0) return
    if ((await ctx.db.tx((tx) => storeAll(ctx, tx, origin, from, found, since))) === 'done') return
  }
  throw fail('unavailable', 'The settings of the recipients changed too often, please try again')
}
