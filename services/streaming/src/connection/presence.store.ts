/** Presence of accounts in Redis: who has an open connection here, and since when all of it has been kept. */
import { randomUUID } from 'node:crypto'
import { keyspace } from '@murmuration/cache'
import { PRESENT_SINCE, presentKey } from '@murmuration/contracts/streaming'
import type { Context } from '../context.js'

const KEY = keyspace(presentKey.owner)(presentKey.name)
const DAY_MS = 86_400_000
/** Much less than PRESENT_SETTLES_MS, within which each process must notice that Redis lost its data. */
const CHECK_EVERY_MS = 5_000

export interface Presence {
  /** Notes that these accounts have an open connection now, or had one until now. */
  mark(accounts: readonly string[]): void
}

/**
 * Since when (ms) presence has been kept without a loss; null if it is not kept now. Undefined if Redis does not answer: then
 * every account counts as present.
 */
export const keptSince = async ({ redis }: Pick<Context, 'redis'>): Promise<number | null | undefined> => {
  const score = await redis.soft((client) => client.zScore(KEY, PRESENT_SINCE), undefined)
  return score === null || score === undefined ? score : -Number(score)
}

/**
 * @param accounts ids of all accounts with an open connection in this process
 * @param missed is called with those of them that were not known to be present, so that events of theirs may be missing
 */
export const createPresence = (
  ctx: Context,
  accounts: () => readonly string[],
  missed: (accounts: readonly string[]) => void,
): Presence => {
  // The own member is missing after a loss, also when another process wrote PRESENT_SINCE first.
  const own = `${PRESENT_SINCE}${randomUUID()}`
  /** When the own member was last written. An older score means that Redis went back to an earlier state. */
  let writtenAt = Number.NEGATIVE_INFINITY
  let isDoubtful = false

  const put = async (marked: readonly string[]): Promise<void> => {
    const score = ctx.clock.now()
    const members = marked.map((value) => ({ score, value }))
    const isWritten = await ctx.redis.soft(async (client) => {
      await client.zAdd(KEY, members)
      return true
    }, false)
    if (!isWritten) isDoubtful = true
    else if (marked.includes(own)) writtenAt = Math.max(writtenAt, score)
  }
  const mark = (marked: readonly string[]): void => {
    if (marked.length > 0) void put(marked)
  }

  /** Writes the accounts again after Redis refused some or went back; those that were not known may have missed events. */
  const restore = async (now: number): Promise<void> => {
    isDoubtful = false
    const list = [...accounts()]
    const unknown = await ctx.redis.soft(async (client) => {
      const scores = list.length > 0 ? await client.zmScore(KEY, list) : []
      const missing = list.filter((_, i) => Number(scores[i] ?? 0) <= now - DAY_MS)
      // Connections that resume across this time get a gap.
      if (missing.length > 0) await client.zAdd(KEY, { score: -now, value: PRESENT_SINCE })
      return missing
    }, null)
    if (unknown === null) isDoubtful = true
    await put([own, ...list])
    if (unknown !== null && unknown.length > 0) missed(unknown)
  }

  const check = async (): Promise<void> => {
    const now = ctx.clock.now()
    const found = await ctx.redis.soft(async (client) => {
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
      ctx.redis.soft((client) => client.zRemRangeByScore(KEY, 0, ctx.clock.now() - DAY_MS), 0)
    }),
  ]
  ctx.onClose('presence', () => {
    for (const stop of stops) stop()
  })
  void check()
  return { mark }
}
