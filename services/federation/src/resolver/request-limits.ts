/** Limits the rates of requests to other servers, and of received activities that cause further work. */
import { createHash } from 'node:crypto'
import { createCounts, createHostLimit, type Redis } from '@murmuration/cache'
import type { MemoryCache } from '@murmuration/flow'
import { addressKey } from '@murmuration/kernel'
import { registeredDomain } from '@murmuration/text'
import { addHost, setMark } from './request-limits.store.js'

/**
 * Maximum number of requests per minute for keys that activities and document requests name, to one host and to all
 * hosts.
 *
 * These requests are counted apart, so that senders cannot use up the limit of other requests.
 */
export const SIGNER_KEYS_PER_HOST = 2_000
const SIGNER_KEYS_IN_ALL = 10_000
/** Maximum number of keys of one host per minute that one IP address or forwarding host names. */
const NAMED_BY_ONE = 1_000
/** Maximum number of keys that one IP address named within a minute and that are being fetched or could not be fetched. */
export const MAX_UNREAD_KEYS_PER_ADDRESS = 120
/** Maximum number of requests to all hosts per minute by all processes, so that this server cannot be used to attack others. */
const IN_ALL = 30_000
/** Maximum number of unknown hosts below one registered domain that get requests within a minute. */
const NEW_BELOW = 10
/** Like `NEW_BELOW`, for background requests, which are counted apart from interactive requests. */
export const NEW_BELOW_BACKGROUND = 10
/** Like `NEW_BELOW`, for hosts of keys that any sender may name. A sender may name at most `NEW_BELOW` of these hosts. */
const SIGNER_NEW_BELOW = 100
/** Maximum number of accepted reports (Flag) of one host per hour. */
const REPORTS = 60
/** Maximum number of fetches of one object in ten minutes because of forwarded activities. */
const FORWARDED_OF_OBJECT = 5
/** Maximum number of fetches per minute because of activities that one host forwarded. */
const FORWARDED_BY_HOST = 60
/**
 * Maximum number of Accepts per hour by one account of one quote, reply or collection item. Each Accept may cause many
 * deliveries.
 */
const ACCEPTS = 10
/** Maximum number of Accepts by one account per hour for replies that are not stored yet. */
const EARLY_ACCEPTS = 600
/** Time in seconds for which the first attempt at an activity is stored. It is longer than all retries of the job take. */
const ATTEMPT_SECONDS = 3_600
/** Maximum number of activities of one owner about its collections per hour. */
const ACTIVITIES_OF_OWNER = 60
/** Maximum number of times per hour that the members of a collection of one owner are looked up. */
const LOOKUPS_FOR_OWNER = 10
/** Maximum number of activities of one author that this server forwards in ten minutes. */
const PASSED_OF_AUTHOR = 30
/** Maximum number of activities of authors on one host that this server forwards in ten minutes. */
const PASSED_OF_HOST = 600
/**
 * Maximum number of requests for statuses whose unknown key is fetched to verify them. The limits are per IP address in
 * ten minutes, per pair of host and IP address in ten minutes, and in total per minute.
 *
 * There is no limit per host alone, because any client could use up such a limit by naming the host.
 */
const READERS_FROM = 120
const READERS_OF_HOST = 60
const READERS_IN_ALL = 600
/** Minimum number of seconds between two fetches of the stored key of an actor after a failed signature. */
const REFRESH_SECONDS = 300
/** Minimum number of seconds between two fetches of an actor whose inbox returned 410. */
const GONE_SECONDS = 86_400

/**
 * Reason of a request, which selects its rate limits and connections.
 *
 * | Reason | Request |
 * |---|---|
 * | `waited-for` | a client waits for the result |
 * | `behind` | background work |
 * | `signer-key` | a key that any sender may have named |
 */
export type RequestReason = 'waited-for' | 'behind' | 'signer-key'

/**
 * Older names in Redis keys. The names stay, so that processes of two releases use the same counts while a release is
 * installed.
 */
const olderKeys = {
  signerKey: 'strange',
  newSignerKey: 'new-strange',
  collectionsBy: 'told-by',
  membersOf: 'looks-for',
  accepts: 'answer',
  earlyAccepts: 'answers-early',
  goneActor: 'look-again',
  forwardedByHost: 'news-by',
  forwardedOfObject: 'news-of',
  forwardsOfAuthor: 'passed-of',
  forwardsOfHost: 'passed-of-host',
} as const

/** Redis key name and limit of the count of new hosts, by reason of the request. */
const NEW_BELOW_BY: Record<RequestReason, readonly [string, number]> = {
  'waited-for': ['new', NEW_BELOW],
  behind: ['new-behind', NEW_BELOW_BACKGROUND],
  'signer-key': [olderKeys.newSignerKey, SIGNER_NEW_BELOW],
}

export interface RequestLimits {
  /** Counts a request. False if this host, or all hosts together, got too many requests this minute. */
  mayRequest(host: string, why?: RequestReason): Promise<boolean>
  /** Counts a new host. False if too many new hosts below its registered domain were requested this minute. */
  mayRequestNewHost(host: string, why?: RequestReason): Promise<boolean>
  /** Returns true on the first call per actor or key (`name`) within `REFRESH_SECONDS`, and false on further calls. */
  mayRefresh(name: string): Promise<boolean>
  /** Returns true on the first call per actor or inbox (`name`) within `GONE_SECONDS`, and false on further calls. */
  mayFetchGoneActor(name: string): Promise<boolean>
  /** False if the sender `by` named too many keys of a host this minute, or too many new hosts below one domain. */
  mayNameKey(by: string, host: string, isNew: boolean): Promise<boolean>
  /** False if forwarded activities about this object, or from this host, caused too many fetches (`FORWARDED_…`). */
  mayFetchForwarded(uri: string, host: string): Promise<boolean>
  /** False if this account sent more than `ACCEPTS` Accepts about this object this hour. */
  mayAccept(thing: string, account: string): Promise<boolean>
  /** False if this account sent too many Accepts this hour about this unknown reply, or about unknown replies in all. */
  mayAcceptUnknownReply(reply: string, account: string): Promise<boolean>
  /**
   * True on the first call per name, which contains the activity and the purpose of the call. False for later calls
   * within `ATTEMPT_SECONDS`.
   */
  isFirstAttempt(name: string): Promise<boolean>
  /** False if this owner sent too many activities about its collections this hour. */
  mayChangeCollection(owner: string): Promise<boolean>
  /** False if the members of collections of this owner were looked up too often this hour. */
  mayLookUpMembers(owner: string): Promise<boolean>
  /** False if too many activities of this author, or of this host, were forwarded in ten minutes. */
  mayForward(author: string, host: string): Promise<boolean>
  /** False if this host sent too many reports this hour. */
  mayReport(host: string): Promise<boolean>
  /** False if this IP address, or all IP addresses together, sent too many requests signed with unknown keys. */
  mayVerifyReader(host: string, ip: string | null): Promise<boolean>
  /** Counts a failed signature of an IP address. Returns the number of failures of the address in this minute. */
  failure(ip: string): Promise<number>
  /** Number of failed signatures of an IP address in this minute. */
  failures(ip: string): Promise<number>
  /**
   * Counts a key that a request of this IP address names and this server must fetch. Returns a function that removes
   * the key from the count. Returns null if the address has more than `MAX_UNREAD_KEYS_PER_ADDRESS` such keys.
   */
  takeUnread(ip: string): Promise<(() => Promise<unknown>) | null>
  /** Clears the counts of this process. Counts in Redis stay. */
  clear(): void
}

export const createRequestLimits = (options: {
  redis: Redis
  /** Prefix of the Redis keys, because several instances may share a Redis. */
  prefix: string
  now: () => number
  /**
   * Counts of this process. The larger of the counts in this process and in Redis decides, so that a failing Redis does
   * not reset a limit.
   */
  local: MemoryCache<number>
  /** Maximum number of requests per minute to one host (`perHost`), and to all hosts (`inAll`). */
  perHost?: number
  inAll?: number
}): RequestLimits => {
  const { redis, prefix, now, local, perHost, inAll = IN_ALL } = options
  const counts = createCounts({ redis, prefix, now, local })
  const count = counts.add
  const hostLimit = createHostLimit(counts, { ...(perHost !== undefined && { perHost }), inAll })
  const minute = () => Math.floor(now() / 60_000)
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

  /**
   * Counts a host under a key in the memory of this process. Returns the number of different hosts that were counted
   * under the key.
   */
  const countHere = (key: string, host: string): number => {
    const before = local.get(key) ?? 0
    const mark = `${key}:${digest(host)}`
    if (local.get(mark) !== undefined) return before
    local.set(mark, 1, 120_000)
    local.set(key, before + 1, 120_000)
    return before + 1
  }
  /** Counts a host. Returns the number of different hosts below its registered domain this minute, under the name `what`. */
  const below = async (what: string, host: string, by = ''): Promise<number> => {
    const key = `${prefix}:${what}:${digest(`${by} ${registeredDomain(host)}`)}:${minute()}`
    const here = countHere(key, host)
    return Math.max((await addHost(redis, key, host, 120)) ?? 0, here)
  }
  const once = async (what: string, name: string, seconds: number): Promise<boolean> => {
    const key = `${prefix}:${what}:${digest(name)}`
    if (local.get(key) !== undefined) return false
    local.set(key, 1, seconds * 1_000)
    return setMark(redis, key, seconds)
  }
  const mayAccept: RequestLimits['mayAccept'] = async (thing, account) =>
    (await count(olderKeys.accepts, `${thing} ${account}`, 60)) <= ACCEPTS
  return {
    async mayRequest(host, why = 'waited-for') {
      if (why === 'signer-key')
        return (
          (await count(olderKeys.signerKey, host)) <= SIGNER_KEYS_PER_HOST &&
          (await count('all', olderKeys.signerKey)) <= SIGNER_KEYS_IN_ALL
        )
      return hostLimit.mayRequest(host, why === 'behind')
    },
    async mayRequestNewHost(host, why = 'waited-for') {
      const [what, max] = NEW_BELOW_BY[why]
      return (await below(what, host)) <= max
    },
    mayNameKey: async (by, host, isNew) =>
      (await count('named', `${by} ${host}`)) <= NAMED_BY_ONE &&
      (!isNew || (await below('new-named', host, by)) <= NEW_BELOW),
    mayRefresh: (name) => once('refresh', name, REFRESH_SECONDS),
    mayFetchGoneActor: (name) => once(olderKeys.goneActor, name, GONE_SECONDS),
    mayFetchForwarded: async (uri, host) =>
      (await count(olderKeys.forwardedByHost, host)) <= FORWARDED_BY_HOST &&
      (await count(olderKeys.forwardedOfObject, uri, 10)) <= FORWARDED_OF_OBJECT,
    mayAccept,
    mayAcceptUnknownReply: async (reply, account) =>
      (await mayAccept(reply, account)) && (await count(olderKeys.earlyAccepts, account, 60)) <= EARLY_ACCEPTS,
    isFirstAttempt: (name) => once('tried', name, ATTEMPT_SECONDS),
    mayChangeCollection: async (owner) => (await count(olderKeys.collectionsBy, owner, 60)) <= ACTIVITIES_OF_OWNER,
    mayLookUpMembers: async (owner) => (await count(olderKeys.membersOf, owner, 60)) <= LOOKUPS_FOR_OWNER,
    mayForward: async (author, host) =>
      (await count(olderKeys.forwardsOfAuthor, author, 10)) <= PASSED_OF_AUTHOR &&
      (await count(olderKeys.forwardsOfHost, host, 10)) <= PASSED_OF_HOST,
    mayReport: async (host) => (await count('report', host, 60)) <= REPORTS,
    mayVerifyReader: async (host, ip) => {
      const from = addressKey(ip ?? '')
      // The rate limit ignores ports, because one host can have many.
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
      if ((await count('unread', from)) > MAX_UNREAD_KEYS_PER_ADDRESS) return null
      // Each minute has a count of its own, so the count is not reduced after its minute is over.
      return async () => {
        if (minute() === at) await count('unread', from, 1, -1)
      }
    },
    clear: () => {
      local.invalidate(null)
    },
  }
}
