/** Presence of accounts in Redis: who has an open connection here, and since when all of it has been kept. */
import { randomUUID } from 'node:crypto'
import { keyspace } from '@murmuration/cache'
import { PRESENT_SINCE, presentKey } from '@murmuration/contracts/streaming'
import type { Context } from '../context.js'

const KEY = keyspace(presentKey.owner)(presentKey.name)
const DAY_MS = 86_400_000
/** Much less than PRESENT_SETTLES_MS: by then each process has noticed that Redis lost its data. */
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

/** @param accounts ids of all accounts with an open connection in this process */
export const createPresence = (ctx: Context, accounts: () => readonly string[]): Presence => {
  // The own member is missing after a loss, also when another process wrote PRESENT_SINCE first.
  const own = `${PRESENT_SINCE}${randomUUID()}`
  const mark = (marked: readonly string[]): void => {
    const score = ctx.clock.now()
    if (marked.length === 0) return
    ctx.redis.soft(
      (client) =>
        client.zAdd(
          KEY,
          marked.map((value) => ({ score, value })),
        ),
      0,
    )
  }

  const check = async (): Promise<void> => {
    const now = ctx.clock.now()
    const lost = await ctx.redis.soft(async (client) => {
      const [, added] = await Promise.all([
        client.zAdd(KEY, { score: -now, value: PRESENT_SINCE }, { condition: 'NX' }),
        client.zAdd(KEY, { score: now, value: own }, { condition: 'NX' }),
      ])
      return Number(added) > 0
    }, false)
    if (lost) mark(accounts())
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
