/**
 * Feeds in Redis: sorted sets of ids with equal scores and fixed-width members, which gives an exact order. A boost's
 * member contains its original after a colon. Two members are markers: `!` means complete, `"` means being rebuilt. A
 * feed without a marker does not exist, whatever it contains (F033).
 */
import type { Redis, RedisClient } from '@murmuration/cache'
import type { Cursor } from '@murmuration/db'
import { keyOf } from '../core/key.store.js'
import { changeFeeds } from './earlier-state.store.js'

export const COMPLETE = '!'

export const BUILDING = '"'

const WIDTH = 19

export interface Entry {
  id: string
  /** Original of a boost; null for other statuses. */
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

/** Bounds just above and just below every member of an id. A semicolon sorts after the colon of a boost. */
const above = (id: string): string => `(${pad(id)};`

const below = (id: string): string => `(${pad(id)}`

/**
 * Sorted set beside a feed: the newest entries that a rebuild or a follow added, whose fan-out may still follow. Fan-out
 * skips a status that is in the feed already. If the status is in this set, fan-out removes it from the set and sends it
 * to open connections, so that they receive it exactly once.
 */
const earlyKey = (key: string): string => key.replace(':feed:', ':early:')

/** Maximum number of early entries of a feed. Redis stores a sorted set of this size compactly. */
const EARLY = 100
/** Seconds after which early entries are forgotten. */
const EARLY_SECONDS = 86_400

/** Lua function that adds members, from position `first` on, to a feed and to its early entries. */
const ADD_EARLY = `
local function add_early(feed, early, members, first)
  for i = first, #members do
    if redis.call('zadd', feed, 0, members[i]) == 1 then redis.call('zadd', early, 0, members[i]) end
  end
  redis.call('zremrangebyrank', early, 0, -${EARLY + 1})
  redis.call('expire', early, ${EARLY_SECONDS})
end`

/**
 * Script that adds an entry to each existing feed and trims it to `length`. A boost is skipped if its original, or
 * another boost of it, is among the newest `window`. Returns the positions (from 1) of feeds that refused the entry,
 * because they received it by an earlier fan-out or because the boost is skipped. Missing feeds are not changed and
 * refuse nothing. The next reader rebuilds a missing feed.
 */
const ADD = `
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
    if skip or (redis.call('zadd', key, 0, member) == 0 and redis.call('zrem', (string.gsub(key, ':feed:', ':early:', 1)), member) == 0) then
      refused[#refused + 1] = i
    else
      if redis.call('zcard', key) > length + 40 then redis.call('zremrangebyrank', key, 1, -(length + 1)) end
    end
  end
end
return refused`

/** Script that removes entries from feeds. A rebuild in progress loses its marker, and must start again. */
const REMOVE = `
for _, key in ipairs(KEYS) do redis.call('zrem', key, '"', unpack(ARGV)) end`

/**
 * Script that looks for an entry in feeds. Returns the positions of existing feeds with the entry (second argument `1`), or
 * without it (`0`).
 */
const FIND = `
local found = {}
for i, key in ipairs(KEYS) do
  local there = redis.call('zscore', key, '!') or redis.call('zscore', key, '"')
  local has = redis.call('zscore', key, ARGV[1]) and true or false
  if there and has == (ARGV[2] == '1') then found[#found + 1] = i end
end
return found`

/**
 * Script that begins a rebuild. The script first deletes the entries of an incomplete feed, so that removed entries do
 * not return.
 */
const BEGIN = `
if redis.call('zscore', KEYS[1], '!') or redis.call('zscore', KEYS[1], '"') then return 0 end
redis.call('del', KEYS[1])
redis.call('zadd', KEYS[1], 0, '"')
redis.call('expire', KEYS[1], 60)
return 1`

/**
 * Script that adds the newest entries of a rebuilt feed and marks the feed as complete, unless an entry was removed
 * during the rebuild. Entries that fan-out added during the rebuild are not early.
 */
const FINISH = `${ADD_EARLY}
if redis.call('zrem', KEYS[1], '"') == 0 then redis.call('del', KEYS[1]) return 0 end
redis.call('zadd', KEYS[1], 0, '!')
redis.call('del', KEYS[2])
add_early(KEYS[1], KEYS[2], ARGV, 3)
redis.call('zremrangebyrank', KEYS[1], 1, -(tonumber(ARGV[1]) + 1))
redis.call('expire', KEYS[1], ARGV[2])
return 1`

/** Script that adds entries to a complete feed and trims it. */
const MERGE = `${ADD_EARLY}
if redis.call('zscore', KEYS[1], '!') then
  add_early(KEYS[1], KEYS[2], ARGV, 2)
  redis.call('zremrangebyrank', KEYS[1], 1, -(tonumber(ARGV[1]) + 1))
end`

const run = (client: RedisClient, script: string, keys: string[], args: string[]): Promise<unknown> =>
  client.eval(script, { keys, arguments: args })

/** Converts positions that a script returned, which count from 1, to positions from 0. */
const positions = (reply: unknown): number[] => (Array.isArray(reply) ? reply.map((i) => Number(i) - 1) : [])

export interface FeedRules {
  /** Repeated boosts are omitted within this number of newest entries; 0 omits none. */
  window: number
  length: number
}

/**
 * Adds an entry to feeds. Returns the positions (from 0) of keys that refused the entry. Throws if Redis is
 * unavailable.
 */
export const addEntry = async (
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
  return new Set(positions(await changeFeeds(redis, (client) => run(client, ADD, [...keys], args))))
}

/** Removes entries from feeds. Throws if Redis is unavailable. */
export const removeEntries = async (
  redis: Redis,
  keys: readonly string[],
  entries: readonly Entry[],
): Promise<void> => {
  if (keys.length === 0 || entries.length === 0) return
  await changeFeeds(redis, (client) => run(client, REMOVE, [...keys], entries.map(memberOf)))
}

const positionsOf = async (
  redis: Redis,
  keys: readonly string[],
  entry: Entry,
  has: '0' | '1',
): Promise<Set<number>> =>
  keys.length === 0
    ? new Set()
    : new Set(positions(await redis.withFallback((client) => run(client, FIND, [...keys], [memberOf(entry), has]), [])))

/**
 * Positions (from 0) of keys whose feed exists without the entry. A missing feed may contain the entry after its
 * rebuild. Empty if Redis is unavailable.
 */
export const feedsWithout = (redis: Redis, keys: readonly string[], entry: Entry): Promise<Set<number>> =>
  positionsOf(redis, keys, entry, '0')

/**
 * Positions (from 0) of keys whose feed exists and contains the entry. A missing feed is not among them. Empty if Redis
 * is unavailable.
 */
export const feedsWith = (redis: Redis, keys: readonly string[], entry: Entry): Promise<Set<number>> =>
  positionsOf(redis, keys, entry, '1')

/**
 * A page of a complete feed, newest first; null if the feed is incomplete or Redis is unavailable. Reading renews the
 * lifetime. A feed that is not read expires before fan-out stops filling it.
 */
export const readFeed = async (
  redis: Redis,
  key: string,
  page: Cursor,
  lifetimeSeconds: number,
): Promise<Entry[] | null> => {
  if (page.limit <= 0) return []
  const floor = page.min_id ?? page.since_id
  // The slash sorts after both markers and before every digit, so the bound `(/` excludes only the markers.
  const low = floor === undefined ? '(/' : above(floor)
  const high = page.max_id === undefined ? '+' : below(page.max_id)
  const up = page.min_id !== undefined
  return redis.withFallback(async (client) => {
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

/** All entries of a feed, newest first, and whether it is complete. Throws if Redis is unavailable. */
export const allEntries = (redis: Redis, key: string): Promise<{ entries: Entry[]; complete: boolean }> =>
  redis.run(async (client) => {
    const members = (await client.zRange(key, 0, -1, { REV: true })).map(String)
    return {
      entries: members.filter((one) => one !== COMPLETE && one !== BUILDING).map(entryOf),
      complete: members.includes(COMPLETE),
    }
  })

/** Whether a feed is being rebuilt. */
export const isBuilding = (redis: Redis, key: string): Promise<boolean> =>
  redis.withFallback(async (client) => (await client.zScore(key, BUILDING)) !== null, false)

/**
 * Begins the rebuild of a feed; from then on fan-out adds entries. Returns false if the feed exists or another reader
 * rebuilds it.
 */
export const beginBuilding = (redis: Redis, key: string): Promise<boolean> =>
  redis.run(async (client) => (await run(client, BEGIN, [key], [])) === 1)

/**
 * Adds the entries of a rebuilt feed, newest first, and marks it as complete. Returns false if an entry was removed during the
 * rebuild.
 */
export const finishBuilding = (
  redis: Redis,
  key: string,
  entries: readonly Entry[],
  rules: FeedRules,
  lifetimeSeconds: number,
): Promise<boolean> =>
  redis.run(async (client) => {
    const members = entries.map(memberOf)
    const [newest, older] = [members.slice(0, EARLY), members.slice(EARLY)]
    if (older.length)
      await client.zAdd(
        key,
        older.map((value) => ({ score: 0, value })),
      )
    const args = [String(rules.length), String(lifetimeSeconds), ...newest]
    return (await run(client, FINISH, [key, earlyKey(key)], args)) === 1
  })

/** Adds entries to a complete feed, down to the oldest entry of the feed. An incomplete feed is not changed. */
export const mergeEntries = async (
  redis: Redis,
  key: string,
  entries: readonly Entry[],
  rules: FeedRules,
): Promise<void> => {
  if (entries.length === 0) return
  const args = [String(rules.length), ...entries.map(memberOf)]
  await changeFeeds(redis, (client) => run(client, MERGE, [key, earlyKey(key)], args))
}

/** Deletes feeds. The next reader rebuilds a deleted feed. */
export const dropFeeds = async (redis: Redis, keys: readonly string[]): Promise<void> => {
  if (keys.length) await changeFeeds(redis, (client) => client.del([...keys]))
}
