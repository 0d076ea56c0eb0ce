/** Reads documents of other servers: rules for hosts, budgets, a signed request, and the answer as bytes with its origin. */

import type { Redis } from '@murmuration/cache'
import type { FetchOutcome } from '@murmuration/contracts/federation'
import type { BaseContext } from '@murmuration/kernel'
import { type Outbound, OutboundError, type OutboundResponse } from '@murmuration/outbound'
import type { z } from 'zod'
import type { Config } from '../../config.js'
import type { Signers } from '../../delivery/signers.js'
import { isOurs } from '../../domain/authority.js'
import { fetched } from '../../figures.js'
import { type HostRules, hostStanding } from '../../hosts.js'
import { createMemory } from '../../memory.js'
import type { Peers } from '../../requests/peers.js'
import type { Self } from '../../self.js'
import { hostOf, readUri, type Uri, withoutFragment } from '../../vocabulary/uri.js'
import { type Budgets, createBudgets } from './budget.js'
import { createManners } from './manners.js'
import { signedGet } from './signed-get.js'
import { createSingleFlight, type SingleFlight } from './single-flight.js'

export type Outcome = z.infer<typeof FetchOutcome>
export type Failed = { ok: false; outcome: Exclude<Outcome, 'ok'> }
export type Read = {
  ok: true
  /** What was asked, without its fragment. */
  asked: Uri
  /** The address that answered in the end: identity comes from it. */
  final: Uri
  contentType: string
  /** The `Link` header. */
  link: string
  body: Buffer
}

export interface ReadOptions {
  /** For the figures. */
  kind: 'actor' | 'key' | 'object' | 'webfinger' | 'collection'
  accept: string
  maxBytes?: number
  timeoutMs?: number
  /** True when nobody waits for it: a part of the budget of its host is kept free of such. */
  behind?: boolean
  /** Account id of the person here in whose name it is asked; the server itself when absent. */
  as?: string
}

export interface Reader {
  read(uri: Uri, options: ReadOptions): Promise<Read | Failed>
  /** What keeps us from asking an address now: rules for its host, or budgets, which this counts against; null when nothing does. */
  hindrance(uri: Uri, behind?: boolean): Promise<Failed['outcome'] | null>
  /** Whether a redirect to this address may be followed. */
  mayVisit(url: URL): boolean
  readonly flight: SingleFlight
  readonly budgets: Budgets
}

export const documentTypes =
  'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

const MEGABYTE = 1_048_576
/** Whatever a server does, one document takes no longer. */
const LONGEST_MS = 20_000

export const failed = (outcome: Failed['outcome']): Failed => ({ ok: false, outcome })

/** What an answer without a document means. */
export const outcomeOfStatus = (status: number): Failed['outcome'] => {
  if (status === 404) return 'not-found'
  if (status === 410) return 'gone'
  return status === 408 || status === 425 || status === 429 || status >= 500 ? 'later' : 'refused'
}

export const outcomeOfError = (error: unknown): Failed['outcome'] => {
  if (!(error instanceof OutboundError)) throw error
  return error.retryable ? 'later' : 'refused'
}

/** What keeps us from asking an address at all; null when nothing does. */
const obstacle = (rules: HostRules, self: Pick<Self, 'ownHosts'>, uri: Uri): Failed['outcome'] | null => {
  if (isOurs(uri, self.ownHosts)) return 'local'
  const standing = hostStanding(rules, hostOf(uri) as string)
  return standing === 'blocked' ? 'blocked' : standing === 'unknown' ? 'later' : null
}

export const createReader = (
  ctx: Pick<BaseContext, 'clock' | 'policy' | 'site'> & {
    redis: Redis
    outbound: Outbound
    config: Config
    self: Self
    peers: Pick<Peers, 'isKnown'>
    signers: Signers
  },
): Reader => {
  const now = () => ctx.clock.now()
  const prefix = `federation:${ctx.site.webDomain}`
  const budgets = createBudgets({
    redis: ctx.redis,
    prefix,
    now,
    local: createMemory({ most: 10_000, ttlMs: 120_000, now }),
  })
  const get = {
    outbound: ctx.outbound,
    // Who has no key any more is nobody to ask for.
    signer: async (as?: string) =>
      (as === undefined ? undefined : (await ctx.signers.many([as])).get(as)) ?? (await ctx.self.signer()),
    now,
    manners: createManners({ redis: ctx.redis, prefix, now }),
  }

  const hindrance = async (uri: Uri, behind = false): Promise<Failed['outcome'] | null> => {
    const hindered = obstacle(ctx, ctx.self, uri)
    if (hindered !== null) return hindered
    const host = hostOf(uri) as string
    if (!(await budgets.mayAsk(host, behind))) return 'later'
    return !(await ctx.peers.isKnown(host)) && !(await budgets.mayMeet(host)) ? 'later' : null
  }
  const mayVisit = (url: URL): boolean => {
    const next = readUri(url.href)
    return next !== null && obstacle(ctx, ctx.self, next) === null
  }

  const ask = async (uri: Uri, options: ReadOptions): Promise<Read | Failed> => {
    const hindered = await hindrance(uri, options.behind)
    if (hindered !== null) return failed(hindered)
    const asked = withoutFragment(uri)
    let response: OutboundResponse
    try {
      response = await signedGet(get, asked, {
        accept: options.accept,
        maxBytes: options.maxBytes ?? MEGABYTE,
        timeoutMs: options.timeoutMs ?? LONGEST_MS,
        mayVisit,
        ...(options.as === undefined ? {} : { as: options.as }),
      })
    } catch (error) {
      return failed(outcomeOfError(error))
    }
    const final = readUri(response.url)
    if (response.status !== 200) return failed(outcomeOfStatus(response.status))
    if (final === null) return failed('refused')
    const { headers, body } = response
    return { ok: true, asked, final, contentType: headers['content-type'] ?? '', link: headers.link ?? '', body }
  }

  return {
    flight: createSingleFlight(ctx.redis, prefix),
    budgets,
    hindrance,
    mayVisit,
    async read(uri, options) {
      const result = await ask(uri, options)
      fetched.inc({ kind: options.kind, outcome: result.ok ? 'ok' : result.outcome })
      return result
    },
  }
}

/** How long an outcome is remembered, so that a missing or refusing address is not asked again and again. */
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
