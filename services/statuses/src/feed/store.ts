/**
 * Feeds in Redis: sorted sets of ids with equal scores and fixed-width members, so that order is exact. A boost's member
 * names its original after a colon. Two members are no ids: `!` says that the feed is complete, `"` that it is being
 * rebuilt; a feed with neither is not there, whatever is in it (F033).
 */
import type { Redis, RedisClient } from '@murmuration/cache'
import type { Cursor } from '@murmuration/db'
import { keyOf } from '../core/key.store.js'

export const COMPLETE = '!'

export const BUILDING = '"'

const WIDTH = 19

export interface Entry {
  id: string
  /** Of a boost: the original. */
  original: string | null
}

export const homeKey = (account: string): string => keyOf('feed', 'home', account)

export const listKey = (owner: string, list: string): string => keyOf('feed', 'list', owner, list)

const pad = (id: string): string => id.padStart(WIDTH, '0')

const bare = (text: string): string => text.replace(/^0+(?=\d)/, '')

export const memberOf = (entry: Entry): string =>
  entry.original === null ? pad(entry.id) : `${pad(entry.id)}:${pad(entry.original)}`

export const entryOf = (member: string): Entry => {
  const colon = member.indexOf(':')
  return colon < 0
    ? { id: bare(member), original: null }
    : { id: bare(member.slice(0, colon)), original: bare(member.slice(colon + 1)) }
}

/** Just above every member of this id, and just below. A semicolon sorts after the colon of a boost. */
const above = (id: string): string => `(${pad(id)};`

const below = (id: string): string => `(${pad(id)}`

/**
 * Puts entries into many feeds in one round trip. For each feed that is there: a boost is skipped while its original, or
 * another boost of it, is among the newest `window`; then trimmed to `length`. Gives the positions of feeds that refused
 * it: it was there already, or it is such a boost. Feeds that are not there refuse nothing; they are made anew when read.
 */
const PUT = `
local member, original, window, length = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local refused = {}
for i, key in ipairs(KEYS) do
  if redis.call('zscore', key, '!') or redis.call('zscore', key, '"') then
    local skip = false
    if original ~= '' then
      for _, other in ipairs(redis.call('zrange', key, 0, window - 1, 'rev')) do
        if other ~= member and (other == original or string.sub(other, -#original - 1) == ':' .. original) then skip = true end
      end
    end
    if skip or redis.call('zadd', key, 0, member) == 0 then
      refused[#refused + 1] = i
    else
      if redis.call('zcard', key) > length + 40 then redis.call('zremrangebyrank', key, 1, -(length + 1)) end
    end
  end
end
return refused`

/** Takes entries out of many feeds; a feed that is being rebuilt must start again. Gives the positions of feeds that had any. */
const TAKE = `
local taken = {}
for i, key in ipairs(KEYS) do
  if redis.call('zrem', key, unpack(ARGV)) > 0 then taken[#taken + 1] = i end
  redis.call('zrem', key, '"')
end
return taken`

/** Looks for an entry in many feeds. Gives the positions of feeds that are there without it. */
const LACK = `
local lacking = {}
for i, key in ipairs(KEYS) do
  local there = redis.call('zscore', key, '!') or redis.call('zscore', key, '"')
  if there and not redis.call('zscore', key, ARGV[1]) then lacking[#lacking + 1] = i end
end
return lacking`

/** Begins a rebuild: what is left of an incomplete feed goes, so that nothing taken out earlier comes back. */
const BEGIN = `
if redis.call('zscore', KEYS[1], '!') or redis.call('zscore', KEYS[1], '"') then return 0 end
redis.call('del', KEYS[1])
redis.call('zadd', KEYS[1], 0, '"')
redis.call('expire', KEYS[1], 60)
return 1`

/** Marks a rebuilt feed as complete, unless something was taken out meanwhile. */
const FINISH = `
if redis.call('zrem', KEYS[1], '"') == 0 then redis.call('del', KEYS[1]) return 0 end
redis.call('zadd', KEYS[1], 0, '!')
redis.call('zremrangebyrank', KEYS[1], 1, -(tonumber(ARGV[1]) + 1))
redis.call('expire', KEYS[1], ARGV[2])
return 1`

const run = (client: RedisClient, script: string, keys: string[], args: string[]): Promise<unknown> =>
  client.eval(script, { keys, arguments: args })

/** Positions (from 0) that a script named. */
const positions = (answer: unknown): number[] => (Array.isArray(answer) ? answer.map((i) => Number(i) - 1) : [])

export interface FeedRules {
  /** Of so many newest entries repeated boosts are left out; 0 leaves out none. */
  window: number
  length: number
}

/** Puts one entry into many feeds; gives the positions (from 0) of keys that refused it. Throws when Redis is away. */
export const putInto = async (
  redis: Redis,
  keys: readonly string[],
  entry: Entry,
  rules: FeedRules,
): Promise<Set<number>> => {
  if (keys.length === 0) return new Set()
  const args = [
    memberOf(entry),
    entry.original === null || rules.window === 0 ? '' : pad(entry.original),
    String(rules.window),
    String(rules.length),
  ]
  return new Set(positions(await redis.hard((client) => run(client, PUT, [...keys], args))))
}

/** Takes entries out of many feeds; gives the keys of those that had one. Throws when Redis is away. */
export const takeFrom = async (redis: Redis, keys: readonly string[], entries: readonly Entry[]): Promise<string[]> => {
  if (keys.length === 0 || entries.length === 0) return []
  const taken = await redis.hard((client) => run(client, TAKE, [...keys], entries.map(memberOf)))
  return positions(taken).map((i) => keys[i] ?? '')
}

/**
 * Positions (from 0) of keys whose feed is there and does not hold the entry; what is not there may hold it once it is
 * made. None when Redis is away.
 */
export const lackedBy = async (redis: Redis, keys: readonly string[], entry: Entry): Promise<Set<number>> =>
  keys.length === 0
    ? new Set()
    : new Set(positions(await redis.soft((client) => run(client, LACK, [...keys], [memberOf(entry)]), [])))

/**
 * A page of a complete feed, newest first, or null when the feed is not complete and must be read elsewhere. Reading
 * renews its lifetime: a feed that nobody reads ends before fan-out stops filling it.
 */
export const readFeed = async (
  redis: Redis,
  key: string,
  page: Cursor,
  lifetimeSeconds: number,
): Promise<Entry[] | null> => {
  if (page.limit <= 0) return []
  const floor = page.min_id ?? page.since_id
  // The markers sort before every digit, and a slash stands between them.
  const low = floor === undefined ? '(/' : above(floor)
  const high = page.max_id === undefined ? '+' : below(page.max_id)
  const up = page.min_id !== undefined
  return redis.soft(async (client) => {
    const [complete, , members] = (await client
      .multi()
      .zScore(key, COMPLETE)
      .expire(key, lifetimeSeconds)
      .zRange(key, up ? low : high, up ? high : low, {
        BY: 'LEX',
        REV: !up,
        LIMIT: { offset: 0, count: page.limit },
      } as never)
      .execAsPipeline()) as unknown as [number | null, unknown, string[]]
    if (complete === null) return null
    const entries = members.map(entryOf)
    return up ? entries.toReversed() : entries
  }, null)
}

/** Everything in a feed, newest first, with whether it is complete. */
export const wholeFeed = (redis: Redis, key: string): Promise<{ entries: Entry[]; complete: boolean }> =>
  redis.hard(async (client) => {
    const members = (await client.zRange(key, 0, -1, { REV: true })).map(String)
    return {
      entries: members.filter((one) => one !== COMPLETE && one !== BUILDING).map(entryOf),
      complete: members.includes(COMPLETE),
    }
  })

/** True while somebody makes the feed. */
export const isBuilding = (redis: Redis, key: string): Promise<boolean> =>
  redis.soft(async (client) => (await client.zScore(key, BUILDING)) !== null, false)

/** Starts a rebuild: from here on new entries go into the feed. False when another reader is at it, or it is done. */
export const beginBuilding = (redis: Redis, key: string): Promise<boolean> =>
  redis.hard(async (client) => (await run(client, BEGIN, [key], [])) === 1)

/** Fills a feed that is being rebuilt and marks it complete; false when something was taken out of it meanwhile. */
export const finishBuilding = (
  redis: Redis,
  key: string,
  entries: readonly Entry[],
  rules: FeedRules,
  lifetimeSeconds: number,
): Promise<boolean> =>
  redis.hard(async (client) => {
    if (entries.length)
      await client.zAdd(
        key,
        entries.map((entry) => ({ score: 0, value: memberOf(entry) })),
      )
    return (await run(client, FINISH, [key], [String(rules.length), String(lifetimeSeconds)])) === 1
  })

/** Adds entries to a complete feed, as far back as it reaches. */
export const mergeInto = async (
  redis: Redis,
  key: string,
  entries: readonly Entry[],
  rules: FeedRules,
): Promise<void> => {
  if (entries.length === 0) return
  await redis.hard(async (client) => {
    const there = await client.zScore(key, COMPLETE)
    if (there === null) return
    await client.zAdd(
      key,
      entries.map((entry) => ({ score: 0, value: memberOf(entry) })),
    )
    await client.zRemRangeByRank(key, 1, -(rules.length + 1))
  })
}

/** Drops feeds; they are made anew when they are read. */
export const dropFeeds = async (redis: Redis, keys: readonly string[]): Promise<void> => {
  if (keys.length) await redis.hard((client) => client.del([...keys]))
}
