/** How often other servers may be asked: per host, for hosts never seen before, and again for the same thing. */
import { createHash } from 'node:crypto'
import type { Redis } from '@murmuration/cache'
import { registeredDomain } from '../../domain/registered-domain.js'
import type { Memory } from '../../memory.js'

/** Requests to one host within a minute, from the whole cluster. */
const PER_HOST = 300
/** Of these, requests behind answers, such as for threads: what people wait for must not stand behind them. */
const BEHIND_PER_HOST = 200
/** Requests to all hosts together within a minute, from the whole cluster: what somebody may make us do to others. */
const IN_ALL = 30_000
/** Hosts below one registered domain that are met for the first time within a minute. */
const NEW_BELOW = 10
/** Reports from one server within an hour. */
const REPORTS = 60
/** Questions about one thing within ten minutes because others passed on news of it, and for one who passes on within one. */
const NEWS_OF_ONE = 5
const NEWS_BY_ONE = 60
/** Answers to one status of ours, a quote or a reply, within an hour: each may go out to all who have it. */
const ANSWERS = 10
/** What one keeper tells of collections of accounts within an hour, and how often all who are in one are looked up for it. */
const TOLD_BY_KEEPER = 60
const LOOKS_FOR_KEEPER = 10
/** Activities of one author, and of one server, within ten minutes that are passed on to all followers of who is answered. */
const PASSED_OF_ONE = 30
const PASSED_OF_HOST = 600
/** Refreshes of one key after a failed signature: one within this many seconds. */
const REFRESH_SECONDS = 300

export interface Budgets {
  /** False when this host, or all hosts together, were asked too often this minute. `behind` when nobody waits for it. */
  mayAsk(host: string, behind?: boolean): Promise<boolean>
  /** False when too many new hosts below the same registered domain turned up this minute. */
  mayMeet(host: string): Promise<boolean>
  /** True once within five minutes for each name. */
  mayRefresh(name: string): Promise<boolean>
  /** False when news of this thing, or news that this server passes on, made us ask too often lately. */
  mayConsult(uri: string, host: string): Promise<boolean>
  /** False when this account answered too often this hour what we ask about this thing. */
  mayAnswer(thing: string, account: string): Promise<boolean>
  /** False when this keeper told so much of collections this hour that no more is heard. */
  mayTell(keeper: string): Promise<boolean>
  /** False when all who are in a collection of this keeper were looked up too often this hour. */
  mayLook(keeper: string): Promise<boolean>
  /** False when so much of this author, or of this server, was passed on lately that others get no more of it by us. */
  mayPassOn(author: string, host: string): Promise<boolean>
  /** False when this server filed too many reports this hour. */
  mayReport(host: string): Promise<boolean>
  /** Counts one failure of an address; gives how many there were this minute. */
  failure(ip: string): Promise<number>
  failures(ip: string): Promise<number>
}

export const createBudgets = (options: {
  redis: Redis
  /** Keeps instances apart that share a Redis. */
  prefix: string
  now: () => number
  /** Counts in this process, for when Redis is away. */
  local: Memory<number>
  /** Requests within a minute, to one host and in all. */
  perHost?: number
  inAll?: number
}): Budgets => {
  const { redis, prefix, now, local, perHost = PER_HOST, inAll = IN_ALL } = options
  const minute = () => Math.floor(now() / 60_000)
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

  const countHere = (key: string): number => {
    const count = (local.get(key) ?? 0) + 1
    local.set(key, count)
    return count
  }
  const count = async (what: string, name: string, minutes = 1): Promise<number> => {
    const key = `${prefix}:${what}:${digest(name)}:${Math.floor(minute() / minutes)}`
    const found = await redis.soft<number | null>(async (client) => {
      const [value] = (await client
        .multi()
        .incr(key)
        .expire(key, 120 * minutes)
        .execAsPipeline()) as unknown as [number]
      return Number(value)
    }, null)
    return found ?? countHere(key)
  }
  return {
    async mayAsk(host, behind = false) {
      if (behind && (await count('behind', host)) > (perHost * BEHIND_PER_HOST) / PER_HOST) return false
      // A host that is asked too often uses up nothing of the others.
      return (await count('host', host)) <= perHost && (await count('all', 'hosts')) <= inAll
    },
    async mayMeet(host) {
      const key = `${prefix}:new:${digest(registeredDomain(host))}:${minute()}`
      const met = await redis.soft<number | null>(async (client) => {
        const [, many] = (await client
          .multi()
          .sAdd(key, host)
          .sCard(key)
          .expire(key, 120)
          .execAsPipeline()) as unknown as number[]
        return Number(many)
      }, null)
      return (met ?? countHere(key)) <= NEW_BELOW
    },
    async mayRefresh(name) {
      const key = `${prefix}:refresh:${digest(name)}`
      const taken = await redis.soft<string | null | undefined>(
        (client) => client.set(key, '1', { NX: true, EX: REFRESH_SECONDS }) as Promise<string | null>,
        undefined,
      )
      return taken === undefined ? countHere(key) === 1 : taken === 'OK'
    },
    mayConsult: async (uri, host) =>
      (await count('news-by', host)) <= NEWS_BY_ONE && (await count('news-of', uri, 10)) <= NEWS_OF_ONE,
    mayAnswer: async (thing, account) => (await count('answer', `${thing} ${account}`, 60)) <= ANSWERS,
    mayTell: async (keeper) => (await count('told-by', keeper, 60)) <= TOLD_BY_KEEPER,
    mayLook: async (keeper) => (await count('looks-for', keeper, 60)) <= LOOKS_FOR_KEEPER,
    mayPassOn: async (author, host) =>
      (await count('passed-of', author, 10)) <= PASSED_OF_ONE &&
      (await count('passed-of-host', host, 10)) <= PASSED_OF_HOST,
    mayReport: async (host) => (await count('report', host, 60)) <= REPORTS,
    failure: (ip) => count('failure', ip),
    async failures(ip) {
      const key = `${prefix}:failure:${digest(ip)}:${minute()}`
      const found = await redis.soft<string | null>((client) => client.get(key) as Promise<string | null>, null)
      return found === null ? (local.get(key) ?? 0) : Number(found)
    },
  }
}
