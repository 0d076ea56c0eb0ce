/** Visits one server: its numbers, and the servers it knows. */
import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import type { Context } from '../context.js'
import type { Reader } from '../resolver/index.js'
import type { Names } from './names.js'
import { jsonOf, NO_NUMBERS, type Numbers, nodeInfoAddress, readActivity, readInstance, readNodeInfo } from './rules.js'

export type Visit =
  | { state: 'visited'; numbers: Numbers }
  | { state: 'failed' }
  /** The server responded with a status such as 429 or 503, or did not respond to earlier requests. */
  | { state: 'busy' }
  /** A rate limit of this server prevented the request. */
  | { state: 'postponed' }

type Outcome = Awaited<ReturnType<Reader['read']>>

/** Milliseconds and bytes of one request. */
const USUAL = { timeoutMs: 10_000, maxBytes: 262_144 }
const PEERS = { timeoutMs: 20_000, maxBytes: 4_194_304 }

const read = (ctx: Context, address: string, limits = USUAL): Promise<Outcome> => {
  const uri = readUri(address)
  if (uri === null) return Promise.resolve({ ok: false, outcome: 'refused' })
  return ctx.reader.read(uri, { kind: 'instance', accept: 'application/json', why: 'behind', ...limits })
}

const bodyOf = (outcome: Outcome): unknown => (outcome.ok ? jsonOf(outcome.body) : undefined)

const nodeInfoOf = async (ctx: Context, base: string, host: string): Promise<Partial<Numbers> | null> => {
  const address = nodeInfoAddress(bodyOf(await read(ctx, `${base}/.well-known/nodeinfo`)), host)
  return address === null ? null : readNodeInfo(bodyOf(await read(ctx, address)))
}

export const isTestNetwork = (ctx: Context): boolean => ctx.config.allowAddresses.length > 0

/** Adds the servers it knows to `names` as responses are read, so that no two long lists are kept. */
export const visit = async (ctx: Context, host: string, names: Names): Promise<Visit> => {
  const base = `${isTestNetwork(ctx) ? 'http' : 'https'}://${host}`
  const first = await read(ctx, `${base}/api/v1/instance`)
  if (!first.ok && first.outcome === 'later')
    return { state: first.unsent === 'limit' ? 'postponed' : first.unsent || first.responded ? 'busy' : 'failed' }
  const instance = readInstance(bodyOf(first))
  const [nodeInfo, namesAny, activity] = await Promise.all([
    instance === null ? nodeInfoOf(ctx, base, host) : null,
    read(ctx, `${base}/api/v1/instance/peers`, PEERS).then((it) => names.add(bodyOf(it))),
    instance === null ? {} : read(ctx, `${base}/api/v1/instance/activity`).then((it) => readActivity(bodyOf(it))),
  ])
  const numbers = instance ?? nodeInfo
  if (numbers === null && !namesAny) return { state: 'failed' }
  return { state: 'visited', numbers: { ...NO_NUMBERS, ...numbers, ...activity } }
}
