/**
 * The job that looks up mentioned accounts of remote statuses again whose server did not respond. The tick
 * `seek-unreached` queues it.
 */
import { resolveAccount } from '@murmuration/contracts/accounts'
import { Failure } from '@murmuration/contracts/kit'
import { findMentioned as findMentionedJob } from '@murmuration/contracts/statuses'
import { createDeadline, mapLimited } from '@murmuration/flow'
import { readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import { rowsOf } from '../core/status/store.js'
import { work } from '../handlers.js'
import { mentionLookups } from './metrics.js'
import { addFoundMention } from './unreached.js'
import { WAITS_S } from './unreached.rules.js'
import { countTry, endUnreached, unreachedAt } from './unreached.store.js'

/** Maximum number of accounts per job. A later job looks up the other accounts of the server. */
const MAX_ACCOUNTS = 40
const AT_ONCE = 4

type Asked = { id: string | null; later: boolean }
type Waiting = { status: string; uri: string; handle: string | null }

/** Time limit of both look-ups of an account: by its address, then by its handle. */
const LOOK_UP_MS = 25_000

const resolve = (
  ctx: Pick<Context, 'call'>,
  who: { uri: string } | { handle: string },
  timeoutMs: number,
): Promise<Asked> =>
  ctx.call(resolveAccount, { ...who, behind: true }, { timeoutMs }).then(
    ({ record, later }) => ({ id: record?.id ?? null, later: later === true }),
    (error) => {
      // After a timeout the account is looked up again later. Any other error is internal and fails the job.
      if (error instanceof Failure && error.code === 'timeout') return { id: null, later: true }
      throw error
    },
  )

/** Looks up an account by its address, then by its handle. Both are on one host, so they share a time limit. */
export const reach = async (
  ctx: Pick<Context, 'call'>,
  { uri, handle }: Pick<Waiting, 'uri' | 'handle'>,
): Promise<Asked> => {
  const deadline = createDeadline(LOOK_UP_MS)
  const first = await resolve(ctx, { uri }, deadline.left())
  if (first.id !== null || handle === null || !deadline.allowsAttempt()) return first
  const { id, later } = await resolve(ctx, { handle }, deadline.left())
  return { id, later: later || first.later }
}

const end = async (ctx: Context, { status, uri }: Waiting, outcome: string): Promise<void> => {
  if (await endUnreached(ctx.db, status, uri)) mentionLookups.inc({ outcome })
}

/** Looks up one mentioned account. Returns false if its server did not respond. */
const find = async (ctx: Context, one: Waiting): Promise<boolean> => {
  const { id, later } = await reach(ctx, one)
  if (id === null && later) return false
  if (id === null) await end(ctx, one, 'absent')
  else mentionLookups.inc({ outcome: (await addFoundMention(ctx, one.status, one.uri, id)) ? 'found' : 'outdated' })
  return true
}

export const findMentioned = work(findMentionedJob, async (ctx, { host, at }) => {
  const until = new Date(readTime(at))
  const all = await unreachedAt(ctx.db, host, until, MAX_ACCOUNTS)
  const rows = await rowsOf(ctx.db, [...new Set(all.map((one) => one.status))])
  const isThere = ({ status }: Waiting) => rows.get(status)?.deleted_at === null
  await mapLimited(
    all.filter((one) => !isThere(one)),
    AT_ONCE,
    (one) => end(ctx, one, 'outdated'),
  )
  const waiting = all.filter(isThere)
  const found = await mapLimited(waiting.slice(0, AT_ONCE), AT_ONCE, (one) => find(ctx, one))
  // If none of the first lookups succeeds, the server counts as down, and its other accounts are not looked up.
  const isAway = waiting.length > 0 && !found.includes(true)
  if (!isAway) await mapLimited(waiting.slice(AT_ONCE), AT_ONCE, (one) => find(ctx, one))
  const how = { now: ctx.clock.date(), waits: WAITS_S }
  const gone = await ctx.db.tx((tx) => countTry(tx, host, until, isAway ? null : waiting, how))
  if (gone) mentionLookups.inc({ outcome: 'gave-up' }, gone)
})
