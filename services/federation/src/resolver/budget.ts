/** Rate limits of requests to other servers: per host, for new hosts, and per object. */
import { createHash } from 'node:crypto'
import { createCounts, createHostBudget, type Redis } from '@murmuration/cache'
import type { MemoryCache } from '@murmuration/flow'
import { addressKey } from '@murmuration/kernel'
import { registeredDomain } from '@murmuration/text'

/**
 * Requests per minute for keys that activities and readers name, to one host and to all hosts. They have a quota of their own,
 * so they never use up the quota of other requests.
 */
export const STRANGE_PER_HOST = 2_000
const STRANGE_IN_ALL = 10_000
/** Keys of one host per minute that one address, or one forwarding host, may name: a share of the quota of the host. */
const NAMED_BY_ONE = 1_000
/** Keys that one address named within a minute and that are being read, or could not be read. */
export const UNREAD_FROM = 120
/** Requests to all hosts per minute from the whole cluster, so that this server cannot be used to attack others. */
const IN_ALL = 30_000
/** New hosts per minute below one registered domain. */
const NEW_BELOW = 10
/** The same for background work, counted apart: it never uses up the limit of requests for which clients wait. */
export const NEW_BELOW_BEHIND = 10
/** The same for hosts that any sender may have named. Each sender has a limit of `NEW_BELOW`. */
const STRANGE_NEW_BELOW = 100
/** Reports from one server within an hour. */
const REPORTS = 60
/** Fetches per object in ten minutes because of forwarded activities, and per forwarding server and minute. */
const NEWS_OF_ONE = 5
const NEWS_BY_ONE = 60
/** Answers per hour to one local status, a quote or a reply: each may be sent to all its recipients. */
const ANSWERS = 10
/** Answers of one account per hour to replies that are not stored yet. */
const EARLY_ANSWERS = 600
/** Longer than a sender retries an activity, in seconds. */
const LETTER_SECONDS = 3_600
/** Activities about collections per owner and hour, and look-ups of all members of a collection per owner and hour. */
const ACTIVITIES_OF_OWNER = 60
const LOOKUPS_FOR_OWNER = 10
/** Activities per author, and per server, in ten minutes that are forwarded to followers. */
const PASSED_OF_ONE = 30
const PASSED_OF_HOST = 600
/**
 * Requests for statuses that are signed with unknown keys: per IP address in ten minutes, per host and IP address, and in all
 * per minute. A limit per host alone could be used up by any client that names the host.
 */
const READERS_FROM = 120
const READERS_OF_HOST = 60
const READERS_IN_ALL = 600
/** Refreshes of one key after a failed signature: one within this many seconds. */
const REFRESH_SECONDS = 300
/** Fetches of an actor whose inbox is gone: one within this many seconds. */
const LOOK_SECONDS = 86_400

/**
 * | Reason | Request |
 * |---|---|
 * | `waited-for` | a client waits for the result |
 * | `behind` | background work |
 * | `strange` | a key that any sender may have named |
 */
export type Why = 'waited-for' | 'behind' | 'strange'

/** Name and limit of the count of new hosts. */
const NEW_BELOW_BY: Record<Why, readonly [string, number]> = {
  'waited-for': ['new', NEW_BELOW],
  behind: ['new-behind', NEW_BELOW_BEHIND],
  strange: ['new-strange', STRANGE_NEW_BELOW],
}

export interface Budgets {
  /** False when this host, or all hosts together, got too many requests this minute. */
  mayAsk(host: string, why?: Why): Promise<boolean>
  /** False when too many new hosts below the same registered domain turned up this minute. */
  mayMeet(host: string, why?: Why): Promise<boolean>
  /** True once within five minutes for each name. */
  mayRefresh(name: string): Promise<boolean>
  /** True once within a day for each name. */
  mayLookAgain(name: string): Promise<boolean>
  /** False when this sender named too many keys of a host this minute, or too many new hosts below one domain. */
  mayName(by: string, host: string, isNew: boolean): Promise<boolean>
  /** False when forwarded activities about this object, or by this server, caused too many fetches lately. */
  mayConsult(uri: string, host: string): Promise<boolean>
  /** False when this account sent too many answers about this object this hour. */
  mayAnswer(thing: string, account: string): Promise<boolean>
  /** False when this account answered too often this hour to this reply, or to all that are not here yet. */
  mayAnswerEarly(reply: string, account: string): Promise<boolean>
  /** True once within an hour per activity and purpose. */
  isFirstTry(letter: string): Promise<boolean>
  /** False when this owner sent too many activities about collections this hour. */
  mayTell(owner: string): Promise<boolean>
  /** False when all members of a collection of this owner were looked up too often this hour. */
  mayLook(owner: string): Promise<boolean>
  /** False when so much of this author, or of this server, was passed on lately that others get no more of it by us. */
  mayPassOn(author: string, host: string): Promise<boolean>
  /** False when this server filed too many reports this hour. */
  mayReport(host: string): Promise<boolean>
  /** False when this IP address, or all, sent too many reads with unknown keys, so that the next one is not verified. */
  mayMeetReader(host: string, ip: string | null): Promise<boolean>
  /** Counts one failure of an address; gives how many there were this minute. */
  failure(ip: string): Promise<number>
  failures(ip: string): Promise<number>
  /** Counts an unread key that an IP address named. The returned function ends that count. Null when it may name no more. */
  takeUnread(ip: string): Promise<(() => Promise<unknown>) | null>
  /** Forgets the counts of this process. Those in Redis stay. */
  forget(): void
}

export const createBudgets = (options: {
  redis: Redis
  /** Keeps instances apart that share a Redis. */
  prefix: string
  now: () => number
  /** Counts in this process. The larger count decides, so a Redis that is away or slow does not begin a limit again. */
  local: MemoryCache<number>
  /** Requests within a minute, to one host and in all. */
  perHost?: number
  inAll?: number
}): Budgets => {
  const { redis, prefix, now, local, perHost, inAll = IN_ALL } = options
  const counts = createCounts({ redis, prefix, now, local })
  const count = counts.add
  const budget = createHostBudget(counts, { ...(perHost !== undefined && { perHost }), inAll })
  const minute = () => Math.floor(now() / 60_000)
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

  /** The number of different hosts counted under a key in this process. */
  const countHere = (key: string, host: string): number => {
    const before = local.get(key) ?? 0
    const mark = `${key}:${digest(host)}`
    if (local.get(mark) !== undefined) return before
    local.set(mark, 1, 120_000)
    local.set(key, before + 1, 120_000)
    return before + 1
  }
  /** How many hosts below the registered domain of this one were counted under this name within the minute. */
  const below = async (what: string, host: string, by = ''): Promise<number> => {
    const key = `${prefix}:${what}:${digest(`${by} ${registeredDomain(host)}`)}:${minute()}`
    const here = countHere(key, host)
    const met = await redis.soft<number | null>(async (client) => {
      const [, many] = (await client
        .multi()
        .sAdd(key, host)
        .sCard(key)
        .expire(key, 120)
        .execAsPipeline()) as unknown as number[]
      return Number(many)
    }, null)
    return Math.max(met ?? 0, here)
  }
  const once = async (what: string, name: string, seconds: number): Promise<boolean> => {
    const key = `${prefix}:${what}:${digest(name)}`
    if (local.get(key) !== undefined) return false
    local.set(key, 1, seconds * 1_000)
    const taken = await redis.soft<string | null>(
      (client) => client.set(key, '1', { NX: true, EX: seconds }) as Promise<string | null>,
      'OK',
    )
    return taken === 'OK'
  }
  const mayAnswer: Budgets['mayAnswer'] = async (thing, account) =>
    (await count('answer', `${thing} ${account}`, 60)) <= ANSWERS
  return {
    async mayAsk(host, why = 'waited-for') {
      if (why === 'strange')
        return (await count('strange', host)) <= STRANGE_PER_HOST && (await count('all', 'strange')) <= STRANGE_IN_ALL
      return budget.mayAsk(host, why === 'behind')
    },
    async mayMeet(host, why = 'waited-for') {
      const [what, most] = NEW_BELOW_BY[why]
      return (await below(what, host)) <= most
    },
    mayName: async (by, host, isNew) =>
      (await count('named', `${by} ${host}`)) <= NAMED_BY_ONE &&
      (!isNew || (await below('new-named', host, by)) <= NEW_BELOW),
    mayRefresh: (name) => once('refresh', name, REFRESH_SECONDS),
    mayLookAgain: (name) => once('look-again', name, LOOK_SECONDS),
    mayConsult: async (uri, host) =>
      (await count('news-by', host)) <= NEWS_BY_ONE && (await count('news-of', uri, 10)) <= NEWS_OF_ONE,
    mayAnswer,
    mayAnswerEarly: async (reply, account) =>
      (await mayAnswer(reply, account)) && (await count('answers-early', account, 60)) <= EARLY_ANSWERS,
    isFirstTry: (letter) => once('tried', letter, LETTER_SECONDS),
    mayTell: async (owner) => (await count('told-by', owner, 60)) <= ACTIVITIES_OF_OWNER,
    mayLook: async (owner) => (await count('looks-for', owner, 60)) <= LOOKUPS_FOR_OWNER,
    mayPassOn: async (author, host) =>
      (await count('passed-of', author, 10)) <= PASSED_OF_ONE &&
      (await count('passed-of-host', host, 10)) <= PASSED_OF_HOST,
    mayReport: async (host) => (await count('report', host, 60)) <= REPORTS,
    mayMeetReader: async (host, ip) => {
      const from = addressKey(ip ?? '')
      // However many ports a host has, it is one.
      const pair = `${from} ${host.replace(/:\d+$/, '')}`
      return (
        (await count('readers-from', from, 10)) <= READERS_FROM &&
        (await count('readers-of', pair, 10)) <= READERS_OF_HOST &&
        (await count('readers', 'hosts')) <= READERS_IN_ALL
      )
    },
    failure: (ip) => count('failure', addressKey(ip)),
    failures: (ip) => counts.of('failure', addressKey(ip)),
    async takeUnread(ip) {
      const from = addressKey(ip)
      const at = minute()
      if ((await count('unread', from)) > UNREAD_FROM) return null
      // Counts of a minute that is over are not reduced.
      return async () => {
        if (minute() === at) await count('unread', from, 1, -1)
      }
    },
    forget: () => {
      local.invalidate(null)
    },
  }
}
