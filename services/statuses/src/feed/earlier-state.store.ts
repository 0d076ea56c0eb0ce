/**
 * Detects that Redis returned to an earlier state, for example after a failover. Complete feeds then lack entries that
 * Redis had accepted.
 *
 * Each process has a member of one sorted set. The score is the time of its last change of feeds, and is written
 * together with the change. So a lower score in Redis means that changes were lost. A process whose changes were lost
 * writes no score, so that the loss stays visible until the next check.
 *
 * One more member stores the time at which all feeds were last dropped. The loss of an earlier change no longer
 * matters, so each loss is handled by one process. If Redis returns to a state before this time, it also loses this member.
 */
import { randomUUID } from 'node:crypto'
import type { Redis, RedisClient } from '@murmuration/cache'
import { keyOf } from '../core/key.store.js'

const KEY = keyOf('feed-writers')
/** Member whose score is the time at which the set was created. */
const CREATED = 'created'
/** Member whose score is the time at which all feeds were last dropped. */
const DROPPED = 'dropped'
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
 * also written if Redis was emptied, or all feeds were dropped, after the last accepted change. Returns 1 if it wrote the
 * score.
 */
const RECORD = `
local function score(member) return tonumber(redis.call('zscore', KEYS[1], member) or 0) end
redis.call('zadd', KEYS[1], 'NX', ARGV[2], '${CREATED}')
local accepted = tonumber(ARGV[3])
local isLower = score(ARGV[1]) < accepted
if isLower and score('${CREATED}') <= accepted and score('${DROPPED}') < accepted then return 0 end
redis.call('zadd', KEYS[1], 'GT', ARGV[2], ARGV[1])
return 1`

/**
 * Script that stores the time of the drop, unless Redis was emptied meanwhile. The member of the process gets the same
 * score.
 */
const STORE_DROP = `
local created = redis.call('zscore', KEYS[1], '${CREATED}')
if not created or tonumber(created) > tonumber(ARGV[2]) then return 0 end
redis.call('zadd', KEYS[1], 'GT', ARGV[2], ARGV[1], ARGV[2], '${DROPPED}')
return 1`

const record = (client: RedisClient, script: string, writer: Writer, score: number): Promise<unknown> =>
  client.eval(script, { keys: [KEY], arguments: [writer.member, String(score), String(writer.accepted)] })

/** Changes feeds, and writes the time of the change in the same round trip. Throws if Redis is unavailable. */
export const changeFeeds = async <T>(redis: Redis, change: (client: RedisClient) => Promise<T>): Promise<T> => {
  const writer = writerOf(redis)
  const score = Math.max(Date.now(), writer.sent + 1)
  writer.sent = score
  const [result, wrote] = await redis.run((client) =>
    Promise.all([change(client), record(client, RECORD, writer, score)]),
  )
  if (wrote === 1) writer.accepted = Math.max(writer.accepted, score)
  return result
}

/**
 * Calls `act`, which drops all feeds, if Redis returned to a state before the last change of this process. If `act`
 * fails, the next call repeats it. Two processes that check within the same milliseconds both call `act`. If Redis was
 * emptied, its feeds are missing and are rebuilt anyway, so `act` is not called.
 */
export const ifEarlier = async (redis: Redis, act: () => Promise<void>): Promise<void> => {
  const writer = writerOf(redis)
  const expected = writer.accepted
  if (expected === 0) return
  // Changes that are sent during `act` belong to the present state, and their scores are higher.
  const now = Math.max(Date.now(), writer.sent)
  const found = await redis.withFallback(
    (client) =>
      Promise.all([
        client.zScore(KEY, writer.member),
        client.zScore(KEY, CREATED),
        client.zScore(KEY, DROPPED),
        // The first member is the time of the creation.
        client.zRemRangeByRank(KEY, 1, -(MAX_WRITERS + 1)),
      ]),
    null,
  )
  if (found === null) return
  const [score, created, dropped] = found.map(Number) as [number, number, number]
  if (score >= expected || dropped >= expected) return
  if (found[1] === null || created > expected) return
  await act()
  const stored = await redis.withFallback((client) => record(client, STORE_DROP, writer, now), null)
  // The next change has a higher score than the drop, also in the same millisecond.
  writer.sent = Math.max(writer.sent, now)
  if (stored === 1) writer.accepted = Math.max(writer.accepted, now)
}
