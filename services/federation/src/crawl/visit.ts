/** Visits one server: requests its user and status counts, and the list of its peers. */

import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import type { Limiter } from '@murmuration/flow'
import type { Context } from '../context.js'
import type { DocumentFetcher } from '../resolver/index.js'
import type { Names } from './names.js'
import { jsonOf, NO_NUMBERS, type Numbers, nodeInfoAddress, readActivity, readInstance, readNodeInfo } from './rules.js'

export type Visit =
  | { state: 'visited'; numbers: Numbers }
  | { state: 'failed' }
  /** The server responded with a status such as 429 or 503, or did not respond to earlier requests. */
  | { state: 'busy' }
  /** A local rate limit prevented the request (`postponed`), or prevented following its redirect (`redirected`). */
  | { state: 'postponed' | 'redirected' }

type Outcome = Awaited<ReturnType<DocumentFetcher['read']>>

/** Limits of one request: time in milliseconds, size of the response in bytes. */
const USUAL = { timeoutMs: 10_000, maxBytes: 262_144 }
const PEERS = { timeoutMs: 20_000, maxBytes: 524_288 }
const LONG_PEERS = { timeoutMs: 20_000, maxBytes: 4_194_304 }

export interface Visiting {
  /** Collection to which a visit adds the hosts in the server's peer list. */
  names: Names
  /** Queue of the chunk for requests of long lists, so that only a few large bodies are in memory at once. */
  inTurn: Limiter['run']
}

const read = (ctx: Context, address: string, limits = USUAL): Promise<Outcome> => {
  const uri = readUri(address)
  if (uri === null) return Promise.resolve({ ok: false, outcome: 'refused' })
  return ctx.fetcher.read(uri, { kind: 'instance', accept: 'application/json', why: 'behind', ...limits })
}

const bodyOf = (outcome: Outcome): unknown => (outcome.ok ? jsonOf(outcome.body) : undefined)

/**
 * State of a visit whose request was not completed for a local reason; null if there is none.
 *
 * | Reason | State |
 * |---|---|
 * | circuit breaker of the host is open | `busy` |
 * | local rate limit, request not sent | `postponed` |
 * | local rate limit, redirect not followed | `redirected` |
 */
const notVisitedReason = (outcome: Outcome): 'postponed' | 'redirected' | 'busy' | null => {
  if (outcome.ok) return null
  if (outcome.unsent === 'pause' || outcome.unfollowed === 'pause') return 'busy'
  if (outcome.unsent) return 'postponed'
  return outcome.unfollowed ? 'redirected' : null
}

export const isTestNetwork = (ctx: Context): boolean => ctx.config.allowAddresses.length > 0

export const visit = async (ctx: Context, host: string, { names, inTurn }: Visiting): Promise<Visit> => {
  const base = `${isTestNetwork(ctx) ? 'http' : 'https'}://${host}`
  const held: ReturnType<typeof notVisitedReason>[] = []
  const get = async (address: string, limits = USUAL): Promise<Outcome> => {
    const outcome = await read(ctx, address, limits)
    held.push(notVisitedReason(outcome))
    return outcome
  }
  const nodeInfoOf = async (): Promise<Partial<Numbers> | null> => {
    const address = nodeInfoAddress(bodyOf(await get(`${base}/.well-known/nodeinfo`)), host)
    return address === null ? null : readNodeInfo(bodyOf(await get(address)))
  }
  const addNames = async (): Promise<boolean> => {
    const address = `${base}/api/v1/instance/peers`
    const list = await get(address, PEERS)
    if (list.ok || !list.tooLarge) return names.add(bodyOf(list))
    return inTurn(async () => names.add(bodyOf(await get(address, LONG_PEERS))))
  }
  const first = await get(`${base}/api/v1/instance`)
  if (!first.ok && first.outcome === 'later')
    return { state: notVisitedReason(first) ?? (first.responded ? 'busy' : 'failed') }
  const instance = readInstance(bodyOf(first))
  const [nodeInfo, namesAny, activity] = await Promise.all([
    instance === null ? nodeInfoOf() : null,
    addNames(),
    instance === null ? {} : get(`${base}/api/v1/instance/activity`).then((it) => readActivity(bodyOf(it))),
  ])
  const numbers = instance ?? nodeInfo
  if (numbers === null && !namesAny) return { state: held.find((one) => one !== null) ?? 'failed' }
  return { state: 'visited', numbers: { ...NO_NUMBERS, ...numbers, ...activity } }
}
