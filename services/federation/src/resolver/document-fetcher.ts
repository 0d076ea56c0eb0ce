/** Fetches documents of other servers: checks host rules and rate limits, sends a signed request, and returns the bytes. */

import { hostOf, originOf, readUri, type Uri, withoutFragment } from '@murmuration/activitypub/vocabulary/uri'
import { createSingleFlight, keyspace, type Redis, type SingleFlight } from '@murmuration/cache'
import type { FetchOutcome } from '@murmuration/contracts/federation'
import { createMemoryCache } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'
import { type Outbound, OutboundError, type OutboundResponse } from '@murmuration/outbound'
import type { z } from 'zod'
import type { Config } from '../config.js'
import { isOurs } from '../core/activity/authority.rules.js'
import type { Self } from '../core/address/self.js'
import { openOutbound } from '../core/client.js'
import { type HostRules, hostAccess } from '../core/host/hosts.js'
import { fetched } from '../core/metrics.js'
import type { Signers } from '../core/signature/signers.js'
import type { Peers } from '../delivery/index.js'
import { createHostBreaker, PROBES_AT_ONCE, probeBy } from './circuit-breaker.js'
import { createRequestLimits, type RequestLimits, type RequestReason } from './request-limits.js'
import { createKnownSchemes } from './signature-scheme.js'
import { signedGet } from './signed-get.js'

export type Outcome = z.infer<typeof FetchOutcome>
type Unsent = 'limit' | 'pause'
export type Failed = {
  ok: false
  outcome: Exclude<Outcome, 'ok'>
  /** Local reason why no request was sent: a rate limit, or an open circuit breaker (`pause`). */
  unsent?: Unsent
  /** Local reason why a redirect was not followed: a rate limit, or an open circuit breaker (`pause`). */
  unfollowed?: Unsent
  /** True if the response has more bytes than allowed. */
  tooLarge?: true
  /** True if the host responded with a status other than 200. */
  responded?: true
  /** Address on this server to which the requested address leads. It was not fetched. */
  local?: Uri
}
export type Read = {
  ok: true
  /** Address that the caller requested, without its fragment. */
  requested: Uri
  /** Address that returned the document, after redirects. */
  final: Uri
  contentType: string
  /** Value of the `Link` header of the response. */
  link: string
  body: Buffer
}

export interface ReadOptions {
  /** Kind of the fetched document, used as a label of the metric. */
  kind: 'actor' | 'key' | 'object' | 'webfinger' | 'collection' | 'instance'
  accept: string
  maxBytes?: number
  timeoutMs?: number
  /** Reason of the request, which selects its rate limit. */
  why?: RequestReason
  /** Id of the local account that signs the request; the instance actor if absent. */
  as?: string
}

export interface DocumentFetcher {
  read(uri: Uri, options: ReadOptions): Promise<Read | Failed>
  /** Counts a request. Returns why the address may not be requested now (host rule, rate limit, circuit breaker), or null. */
  obstacle(uri: Uri, why?: RequestReason): Promise<Failed['outcome'] | null>
  /** True if host rules allow this address as target of a redirect. */
  mayVisit(url: URL): boolean
  readonly flight: SingleFlight
  readonly limits: RequestLimits
}

export const documentTypes =
  'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

const MEGABYTE = 1_048_576
/** Default time-out for fetching one document, including its redirects. */
const MAX_MS = 20_000
/**
 * Maximum number of requests at once in one process for keys that any sender may name. Requests for such keys use their
 * own connections.
 */
const SIGNER_KEYS_AT_ONCE = 64
/** Connection limits of probes. A host gets one probe at a time. */
const PROBES = { maxInFlight: PROBES_AT_ONCE, maxConnectionsPerHost: 1 }

export const failed = (outcome: Failed['outcome']): Failed => ({ ok: false, outcome })

/** Whether a rate limit of this server caused a failure. */
export const isLimited = ({ unsent, unfollowed }: Failed): boolean => unsent === 'limit' || unfollowed === 'limit'

/** Outcome of a response with another status than 200. */
export const outcomeOfStatus = (status: number): Failed['outcome'] => {
  if (status === 404) return 'not-found'
  if (status === 410) return 'gone'
  return status === 408 || status === 425 || status === 429 || status >= 500 ? 'later' : 'refused'
}

export const outcomeOfError = (error: unknown): Failed['outcome'] => {
  if (!(error instanceof OutboundError)) throw error
  return error.retryable ? 'later' : 'refused'
}

/**
 * Reason why the host rules do not permit a request to an address; null if they permit it. `later` while the instance
 * policy is not loaded.
 */
const policyObstacle = (rules: HostRules, self: Pick<Self, 'ownHosts'>, uri: Uri): Failed['outcome'] | null => {
  if (isOurs(uri, self.ownHosts)) return 'local'
  const access = hostAccess(rules, hostOf(uri) as string)
  return access === 'blocked' ? 'blocked' : access === 'unknown' ? 'later' : null
}

export const createDocumentFetcher = (
  ctx: Pick<BaseContext, 'clock' | 'common' | 'log' | 'needs' | 'onClose' | 'policy' | 'site'> & {
    redis: Redis
    outbound: Outbound
    config: Config
    self: Self
    peers: Pick<Peers, 'isKnown'>
    signers: Signers
  },
): DocumentFetcher => {
  const now = () => ctx.clock.now()
  const prefix = keyspace('federation')(ctx.site.webDomain)
  const limits = createRequestLimits({
    redis: ctx.redis,
    prefix,
    now,
    local: createMemoryCache({ max: 50_000, ttlMs: 120_000, now }),
  })
  const get = {
    outbound: ctx.outbound,
    // The instance actor signs for an account that has no signing key.
    signer: async (as?: string) =>
      (as === undefined ? undefined : (await ctx.signers.many([as])).get(as)) ?? (await ctx.self.signer()),
    now,
    knownSchemes: createKnownSchemes({ redis: ctx.redis, prefix, now }),
  }

  // Requests of each reason (`RequestReason`) have their own connections, so that a slow server delays only requests of one
  // reason.
  const ways: Record<RequestReason, typeof get> = {
    'waited-for': get,
    behind: { ...get, outbound: openOutbound(ctx, ctx.config, 'reads behind') },
    'signer-key': {
      ...get,
      outbound: openOutbound(ctx, ctx.config, 'reads of signer keys', { maxInFlight: SIGNER_KEYS_AT_ONCE }),
    },
  }
  const breaker = createHostBreaker({ now, probe: probeBy(openOutbound(ctx, ctx.config, 'probes', PROBES)) })

  const obstacleOf = async (uri: Uri, why?: RequestReason): Promise<Failed | null> => {
    const obstacle = policyObstacle(ctx, ctx.self, uri)
    if (obstacle !== null) return { ...failed(obstacle), ...(obstacle === 'later' && { unsent: 'limit' }) }
    const host = hostOf(uri) as string
    if (breaker.isOpen(host)) return { ...failed('later'), unsent: 'pause' }
    const mayRequest =
      (await limits.mayRequest(host, why)) &&
      ((await ctx.peers.isKnown(host)) || (await limits.mayRequestNewHost(host, why)))
    return mayRequest ? null : { ...failed('later'), unsent: 'limit' }
  }
  const obstacle: DocumentFetcher['obstacle'] = async (uri, why) => (await obstacleOf(uri, why))?.outcome ?? null
  const mayVisit = (url: URL): boolean => {
    const next = readUri(url.href)
    return next !== null && policyObstacle(ctx, ctx.self, next) === null
  }

  /** Reason why a redirect may not be followed; null if there is none. A redirect to another host counts as a request to it. */
  const obstacleOfHop = async (url: URL, from: string, why?: RequestReason): Promise<Failed | null> => {
    const next = readUri(url.href)
    if (next === null) return failed('refused')
    const rule = policyObstacle(ctx, ctx.self, next)
    if (rule !== null) return { ...failed('refused'), ...(rule === 'local' && { local: next }) }
    const obstacle = url.host === from ? null : await obstacleOf(next, why)
    return obstacle && { ...failed('later'), ...(obstacle.unsent && { unfollowed: obstacle.unsent }) }
  }

  const fetchDocument = async (uri: Uri, options: ReadOptions): Promise<Read | Failed> => {
    const obstacle = await obstacleOf(uri, options.why)
    if (obstacle !== null) return obstacle
    const requested = withoutFragment(uri)
    const host = hostOf(uri) as string
    // After a response of the host, a time-out is not its fault: a redirect target may be slow, or the time was used up.
    let responded = false
    const onResponse = () => {
      responded = true
      breaker.succeeded(host)
    }
    const redirect: { obstacle: Failed | null } = { obstacle: null }
    const obstacleAt = async (url: URL): Promise<'refused' | 'later' | null> => {
      redirect.obstacle = await obstacleOfHop(url, host, options.why)
      return redirect.obstacle && (redirect.obstacle.outcome === 'later' ? 'later' : 'refused')
    }
    let response: OutboundResponse
    try {
      response = await signedGet(ways[options.why ?? 'waited-for'], requested, {
        accept: options.accept,
        maxBytes: options.maxBytes ?? MEGABYTE,
        timeoutMs: options.timeoutMs ?? MAX_MS,
        obstacle: obstacleAt,
        onResponse,
        ...(options.as === undefined ? {} : { as: options.as }),
      })
    } catch (error) {
      const stage = error instanceof OutboundError && error.stage
      if (!responded && stage === 'responded') onResponse()
      const silent = stage === 'sent' && error instanceof OutboundError && error.code === 'timeout'
      if (silent && !responded) breaker.failed(originOf(uri) as string)
      if (redirect.obstacle !== null) return redirect.obstacle
      const isTooLarge = error instanceof OutboundError && error.code === 'too_large'
      return { ...failed(outcomeOfError(error)), ...(isTooLarge && { tooLarge: true }) }
    }
    const final = readUri(response.url)
    if (response.status !== 200) return { ...failed(outcomeOfStatus(response.status)), responded: true }
    if (final === null) return failed('refused')
    const { headers, body } = response
    return { ok: true, requested, final, contentType: headers['content-type'] ?? '', link: headers.link ?? '', body }
  }

  return {
    flight: createSingleFlight(ctx.redis, prefix),
    limits,
    obstacle,
    mayVisit,
    async read(uri, options) {
      const result = await fetchDocument(uri, options)
      fetched.inc({ kind: options.kind, outcome: result.ok ? 'ok' : result.outcome })
      return result
    },
  }
}

/** Milliseconds for which an outcome is cached, so that a failing address is not requested at once again. 0: not cached. */
export const keepMsOf = (outcome: Outcome): number => {
  switch (outcome) {
    case 'gone':
      return 3_600_000
    case 'not-found':
    case 'refused':
      return 60_000
    case 'later':
      return 10_000
    default:
      return 0
  }
}
