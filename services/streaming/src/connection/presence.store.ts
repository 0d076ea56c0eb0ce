/** Presence of accounts in Redis: a sorted set of the accounts that have an open connection, scored by the time (ms) of the last mark. */
import { randomUUID } from 'node:crypto'
import { keyspace } from '@murmuration/cache'
import { PRESENT_SINCE, presentKey } from '@murmuration/contracts/streaming'
import type { Context } from '../context.js'

const KEY = keyspace(presentKey.owner)(presentKey.name)
const DAY_MS = 86_400_000
/**
 * Milliseconds between two checks of the set in Redis, much less than PRESENT_COMPLETE_MS: each process must
 * notice within that time that Redis lost its data.
 */
const CHECK_EVERY_MS = 5_000

export interface Presence {
  /** Writes the current time as the last time at which these accounts had an open connection. */
  mark(accounts: readonly string[]): void
}

/**
 * Time (ms since 1970) since which Redis has lost no presence. Null after a loss, until the streaming service writes the
 * time again. Undefined if Redis does not respond: every account then counts as present.
 */
export const keptSince = async ({ redis }: Pick<Context, 'redis'>): Promise<number | null | undefined> => {
  const score = await redis.withFallback((client) => client.zScore(KEY, PRESENT_SINCE), undefined)
  return score === null || score === undefined ? score : -Number(score)
}

/**
 * @param accounts ids of all accounts with an open connection in this process
 * @param missed called with accounts that have a connection but were missing in Redis. Events of these accounts may not
 * have been logged.
 */
export const createPresence = (
  ctx: Context,
  accounts: () => readonly string[],
  missed: (accounts: readonly string[]) => void,
): Presence => {
  // A member of the Redis set that only this process writes. The absence of this member shows a loss even if another
  // process has already written PRESENT_SINCE again.
  const own = `${PRESENT_SINCE}${randomUUID()}`
  /** Time (ms) of the last write of `own`. A lower score in Redis means that Redis returned to an earlier state. */
  let writtenAt = Number.NEGATIVE_INFINITY
  /** True after a failed write, because members may then be missing in Redis. */
  let isDoubtful = false

  const put = async (marked: readonly string[]): Promise<void> => {
    const score = ctx.clock.now()
    const members = marked.map((value) => ({ score, value }))
    const isWritten = await ctx.redis.withFallback(async (client) => {
      await client.zAdd(KEY, members)
      return true
    }, false)
    if (!isWritten) isDoubtful = true
    else if (marked.includes(own)) writtenAt = Math.max(writtenAt, score)
  }
  const mark = (marked: readonly string[]): void => {
    if (marked.length > 0) void put(marked)
  }

  /** Writes all accounts again after a failed write or a return to an earlier state. Reports the accounts that were missing. */
  const restore = async (now: number): Promise<void> => {
    isDoubtful = false
    const list = [...accounts()]
    const unknown = await ctx.redis.withFallback(async (client) => {
      const scores = list.length > 0 ? await client.zmScore(KEY, list) : []
      const missing = list.filter((_, i) => Number(scores[i] ?? 0) <= now - DAY_MS)
      // Sets PRESENT_SINCE to the current time, so that a connection that resumes from an earlier position gets a
      // `gap`.
      if (missing.length > 0) await client.zAdd(KEY, { score: -now, value: PRESENT_SINCE })
      return missing
    }, null)
    if (unknown === null) isDoubtful = true
    await put([own, ...list])
    if (unknown !== null && unknown.length > 0) missed(unknown)
  }

  /** Detects a loss of data or a return to an earlier state of Redis, and writes the missing members. */
  const check = async (): Promise<void> => {
    const now = ctx.clock.now()
    const found = await ctx.redis.withFallback(async (client) => {
      const [, added, score] = await Promise.all([
        client.zAdd(KEY, { score: -now, value: PRESENT_SINCE }, { condition: 'NX' }),
        client.zAdd(KEY, { score: now, value: own }, { condition: 'NX' }),
        client.zScore(KEY, own),
      ])
      return { isLost: Number(added) > 0, score: Number(score) }
    }, null)
    if (found === null) return
    const isEarlier = !found.isLost && found.score < writtenAt
    writtenAt = found.score
    if (found.isLost) mark(accounts())
    else if (isEarlier || isDoubtful) await restore(now)
  }

  const stops = [
    ctx.clock.every(CHECK_EVERY_MS, check),
    ctx.clock.every(60_000, async () => {
      await check()
      mark([own, ...accounts()])
      ctx.redis.withFallback((client) => client.zRemRangeByScore(KEY, 0, ctx.clock.now() - DAY_MS), 0)
    }),
  ]
  ctx.onClose('presence', () => {
    for (const stop of stops) stop()
  })
  void check()
  return { mark }
}
