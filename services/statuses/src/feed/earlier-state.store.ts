/**
 * Detects that Redis returned to an earlier state, for example after a failover. Complete feeds then lack entries that
 * Redis had accepted.
 *
 * Each process has a member of one sorted set. The score is the time of its last change of feeds, and is written
 * together with the change. So a lower score in Redis means that changes were lost. A process whose changes were lost
 * writes no score, so that the loss stays visible until the next check.
 */
import { randomUUID } from 'node:crypto'
import type { Redis, RedisClient } from '@murmuration/cache'
import { keyOf } from '../core/key.store.js'

const KEY = keyOf('feed-writers')
/** Member whose score is the time at which the set was created. */
const CREATED = 'created'
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

/**
 * Script that writes the score of a member, unless the stored score is lower than the last accepted one. The score is
 * also written if Redis was emptied after the last accepted one. Returns 1 if it wrote the score.
 */
const RECORD = `
redis.call('zadd', KEYS[1], 'NX', ARGV[2], '${CREATED}')
local accepted = tonumber(ARGV[3])
local isEmptied = tonumber(redis.call('zscore', KEYS[1], '${CREATED}')) > accepted
if not isEmptied and tonumber(redis.call('zscore', KEYS[1], ARGV[1]) or 0) < accepted then return 0 end
redis.call('zadd', KEYS[1], 'GT', ARGV[2], ARGV[1])
return 1`

/** Changes feeds, and writes the time of the change in the same round trip. Throws if Redis is unavailable. */
export const changeFeeds = async <T>(redis: Redis, change: (client: RedisClient) => Promise<T>): Promise<T> => {
  const writer = writerOf(redis)
  const score = Math.max(Date.now(), writer.sent + 1)
  writer.sent = score
  const options = { keys: [KEY], arguments: [writer.member, String(score), String(writer.accepted)] }
  const [result, wrote] = await redis.run((client) => Promise.all([change(client), client.eval(RECORD, options)]))
  if (wrote === 1) writer.accepted = Math.max(writer.accepted, score)
  return result
}

/**
 * Calls `act` if Redis returned to a state before the last change of this process. If `act` fails, the next call repeats
 * it. If Redis was emptied, its feeds are missing and are rebuilt anyway, so `act` is not called.
 */
export const ifEarlier = async (redis: Redis, act: () => Promise<void>): Promise<void> => {
  const writer = writerOf(redis)
  const expected = writer.accepted
  if (expected === 0) return
  const found = await redis.withFallback(
    (client) =>
      Promise.all([
        client.zScore(KEY, writer.member),
        client.zScore(KEY, CREATED),
        // The first member is the time of the creation.
        client.zRemRangeByRank(KEY, 1, -(MAX_WRITERS + 1)),
      ]),
    null,
  )
  if (found === null) return
  const [score, created] = found.map((one) => (one === null ? null : Number(one)))
  if (typeof score === 'number' && score >= expected) return
  if (typeof created !== 'number' || created > expected) return
  await act()
  // The next change begins a new member. Changes that were sent meanwhile belong to the present state.
  writers.delete(redis)
}
