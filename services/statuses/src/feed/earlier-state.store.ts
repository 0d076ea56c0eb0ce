/**
 * Detects that Redis returned to an earlier state, for example after a failover. Complete feeds then lack entries that
 * Redis had accepted.
 *
 * Each process has a member of one sorted set. The score is the time of its last change of feeds, and is written
 * together with the change. So a lower score in Redis means that changes were lost.
 */
import { randomUUID } from 'node:crypto'
import type { Redis, RedisClient } from '@murmuration/cache'
import { keyOf } from '../core/key.store.js'

const KEY = keyOf('feed-writers')
/** Maximum number of members. The oldest members belong to processes that ended, and are removed. */
const MAX_WRITERS = 1_000

interface Writer {
  readonly member: string
  /** Highest score that was sent. */
  sent: number
  /** Highest score that Redis accepted; 0 before the first change. */
  accepted: number
}

/** The writer of this process for each connection. */
const writers = new WeakMap<Redis, Writer>()

const writerOf = (redis: Redis): Writer => {
  const known = writers.get(redis)
  if (known) return known
  const writer = { member: randomUUID(), sent: 0, accepted: 0 }
  writers.set(redis, writer)
  return writer
}

/** Changes feeds, and writes the time of the change in the same round trip. Throws if Redis is unavailable. */
export const changeFeeds = async <T>(redis: Redis, change: (client: RedisClient) => Promise<T>): Promise<T> => {
  const writer = writerOf(redis)
  const score = Math.max(Date.now(), writer.sent + 1)
  writer.sent = score
  const [result] = await redis.run((client) =>
    Promise.all([change(client), client.zAdd(KEY, { score, value: writer.member }, { comparison: 'GT' })]),
  )
  writer.accepted = Math.max(writer.accepted, score)
  return result
}

/**
 * Calls `act` if Redis returned to a state before the last change of this process. If `act` fails, the next call repeats
 * it. A Redis without any data is no earlier state, because its feeds are missing and are rebuilt anyway.
 */
export const ifEarlier = async (redis: Redis, act: () => Promise<void>): Promise<void> => {
  const writer = writerOf(redis)
  const expected = writer.accepted
  if (expected === 0) return
  const found = await redis.withFallback(async (client) => {
    const [score, count] = await Promise.all([
      client.zScore(KEY, writer.member),
      client.zCard(KEY),
      client.zRemRangeByRank(KEY, 0, -(MAX_WRITERS + 1)),
    ])
    return { score: score === null ? null : Number(score), isEmpty: Number(count) === 0 }
  }, null)
  if (found === null || found.isEmpty || (found.score !== null && found.score >= expected)) return
  await act()
  // Changes that were accepted meanwhile belong to the present state.
  if (writer.accepted === expected) writer.accepted = 0
}
