/** The crawl task. Stores the known servers, then visits waiting servers in chunks, and adds the peers that they list. */
import { createLimiter, mapLimited } from '@murmuration/flow'
import { taskKind } from '@murmuration/kernel'
import { registeredDomain } from '@murmuration/text'
import type { Context } from '../context.js'
import { hostAccess, notReady } from '../core/host/hosts.js'
import { createNames, mapWithYields } from './names.js'
import {
  addServers,
  applyVisits,
  type FoundServer,
  knownPeers,
  nextDueAt,
  type Visited,
  waitingServers,
} from './store.js'
import { isTestNetwork, type Visit, visit } from './visit.js'

export interface CrawlInput {
  /** Server at which the crawl starts; null: it starts at every known server. */
  start: string | null
  concurrency: number
  excludeSuspended: boolean
}

interface Prepared {
  found: FoundServer[]
  visited: Visited[]
  next: string | null
  pauseMs: number
}

/**
 * Prefix of task positions while the known servers are stored. The last stored host follows the prefix. While servers are
 * visited, positions are numbers.
 */
const SEED = 'seed '
const PEERS_AT_ONCE = 10_000
/** Number of visits per chunk of the task, as a multiple of the concurrency. */
const ROUNDS = 2
/** Maximum number of visits of a server that is busy, before it counts as failed. */
const MAX_TRIES = 3
/**
 * Maximum number of visits of a server if a local rate limit prevented following its redirects. After that number, the server
 * counts as failed.
 */
const MAX_REDIRECTED = 20
/** Maximum number of concurrent requests for long peer lists, whose bodies are large. */
const LONG_AT_ONCE = 2
/** Delay after which a server that is still `waiting` is visited again. One minute, because rate limits count per minute. */
const RETRY_MS = 60_000

/**
 * Rows for found hosts. Blocked servers get the state `blocked`, or no row if the crawl excludes suspended servers.
 * Hosts of this server get no row.
 */
const foundOf = async (
  ctx: Context,
  hosts: readonly string[],
  { excludeSuspended }: CrawlInput,
): Promise<FoundServer[]> => {
  const found = await mapWithYields(hosts, (host): FoundServer | null => {
    const access = hostAccess(ctx, host)
    if (access === 'unknown') throw notReady()
    const isBlocked = access === 'blocked'
    if (ctx.self.ownHosts.has(host) || (isBlocked && excludeSuspended)) return null
    return { host, site: registeredDomain(host), state: isBlocked ? 'blocked' : 'waiting' }
  })
  return found.filter((one) => one !== null)
}

const seed = async (ctx: Context, input: CrawlInput, after: string): Promise<Prepared> => {
  const peers = input.start === null ? await knownPeers(ctx.db, after, PEERS_AT_ONCE) : [input.start]
  const isLast = input.start !== null || peers.length < PEERS_AT_ONCE
  const next = isLast ? '0' : `${SEED}${peers.at(-1)}`
  return { found: await foundOf(ctx, peers, input), visited: [], next, pauseMs: 0 }
}

const resultOf = (host: string, tries: number, result: Visit): Visited => {
  if (result.state === 'visited') return { host, state: 'visited', tries: tries + 1, numbers: result.numbers }
  if (result.state === 'postponed') return { host, state: 'waiting', tries, numbers: null }
  const max = { busy: MAX_TRIES, redirected: MAX_REDIRECTED, failed: 0 }[result.state]
  const isRetried = tries + 1 < max
  return { host, state: isRetried ? 'waiting' : 'failed', tries: tries + 1, numbers: null }
}

const visitSome = async (ctx: Context, id: string, input: CrawlInput, position: string): Promise<Prepared> => {
  const now = ctx.clock.date()
  const next = String(Number(position) + 1)
  const due = await waitingServers(ctx.db, id, now, input.concurrency * ROUNDS)
  if (due.length === 0) {
    const dueAt = await nextDueAt(ctx.db, id)
    const pauseMs = dueAt === null ? 0 : Math.max(1, dueAt.getTime() - now.getTime())
    return { found: [], visited: [], next: dueAt === null ? null : next, pauseMs }
  }
  const names = createNames(isTestNetwork(ctx))
  const long = createLimiter({ concurrency: LONG_AT_ONCE })
  const visited = await mapLimited(due, input.concurrency, async ({ host, tries }) => {
    return names.isFull() ? null : resultOf(host, tries, await visit(ctx, host, { names, inTurn: long.run }))
  })
  const found = await foundOf(ctx, names.all(), input)
  return { found, visited: visited.filter((one) => one !== null), next, pauseMs: 0 }
}

export const crawlKind = taskKind<Context>()<CrawlInput, Prepared>({
  name: 'crawl-servers',
  permission: 'manage_federation',
  act: ({ start }) => ({ action: 'crawl_servers', target: start ?? '' }),
  prepare: (ctx, { id, input, after }) =>
    after === '' || after.startsWith(SEED)
      ? seed(ctx, input, after.slice(SEED.length))
      : visitSome(ctx, id, input, after),
  async apply(ctx, tx, { id }, { found, visited, next, pauseMs }) {
    const now = ctx.clock.now()
    await applyVisits(tx, id, visited, new Date(now + RETRY_MS))
    const added = await addServers(tx, id, found, new Date(now))
    const done = visited.filter((one) => one.state !== 'waiting')
    const failed = done.filter((one) => one.state === 'failed').length
    return {
      next,
      seen: done.length,
      changed: done.length - failed,
      notes: { ...(added && { found: added }), ...(failed && { failed }) },
      pauseMs,
    }
  },
})
