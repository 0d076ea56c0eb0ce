/** The way of one API request: admitted, read, known, limited, allowed, checked, asked, answered. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RpcResponse } from '@murmuration/bus'
import {
  BUDGET_MS,
  type Caller,
  type ErrorCode,
  isRetryable,
  meaningOf,
  type RouteClass,
} from '@murmuration/contracts/kit'
import { bucketsFor, rateLimits } from '@murmuration/contracts/rate-limits'
import { type AskRaw, activeTraceparent } from '@murmuration/kernel'
import type { Context } from '../context.js'
import type { Bulkheads } from './admission/bulkhead.js'
import { type Asker, type Limits, tighter } from './admission/limits.js'
import { createPatientAsk } from './admission/patience.js'
import { authorize, callerOf, type House } from './caller/auth.js'
import { basicCredentials } from './caller/basic.js'
import { bearerOf, type Known, type Tokens, tokenIn } from './caller/tokens.js'
import type { Exchange } from './exchange.js'
import { type Body, bytesOf, isUpload, NO_BODY, parseBody, readUpload, withInline } from './input/body.js'
import { parseQuery } from './input/form.js'
import { parseInput } from './input/input.js'
import { rawInput } from './input/raw-input.js'
import { lastOfEach } from './input/repeated.js'
import { localeOf } from './locale.js'
import { send, UNCHANGED } from './response/answer.js'

/** Dependencies that all requests of a surface share. */
export interface Edge {
  readonly ctx: Pick<Context, 'clock' | 'site' | 'staging'>
  readonly tokens: Tokens
  readonly limits: Limits
  readonly bulkheads: Bulkheads
  readonly ask: AskRaw
  readonly house: House
}

/** Tokens stand in small forms only; nothing large is read for nobody. */
const MOST_FOR_TOKEN = 16_384
const FAMILIES = new Map(rateLimits.families.map((bucket) => [bucket.name, [bucket]]))
/** A password may be tried at the token endpoint as well as on the page; both count as one. */
const PASSWORD_TRIES = bucketsFor(rateLimits.requests, 'POST', '/auth/sign_in')

const askerOf = ({ ip, caller }: Exchange): Asker => ({
  ip,
  viewerId: caller.viewer?.id ?? null,
  tokenId: caller.app?.tokenId ?? null,
})

const PAGES = ['page', 'min_id', 'max_id', 'since_id']

/** The parts of what was sent, the later ones stronger. */
const gather = (
  { req, operation, params, path }: Exchange,
  query: Record<string, unknown>,
  body: Body,
  token: string | null,
): Record<string, unknown> => ({
  ...(path.startsWith('/oauth/') ? basicCredentials(req) : {}),
  ...lastOfEach(operation, query),
  ...(body.form ? lastOfEach(operation, body.given) : body.given),
  ...body.files,
  ...params,
  ...(operation.wantsToken ? { access_token: token } : {}),
})

const headerText = (req: IncomingMessage, name: string): string | null => {
  const value = req.headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Requests with files use the bulkhead and the time limit of uploads, whatever their operation. */
const classOf = ({ req, operation }: Exchange): RouteClass => (isUpload(req, operation) ? 'upload' : operation.class)

export const createServe = (edge: Edge) => {
  const { ctx, tokens, limits, bulkheads, house } = edge

  /** The body when it is needed to know who asks; broken ones are refused later, in their turn. */
  const earlyBody = async ({ req, operation }: Exchange, bytes: Buffer | null, token: string | null) =>
    token !== null || bytes === null || bytes.length > MOST_FOR_TOKEN || operation.rawBody > 0
      ? null
      : parseBody(req, bytes).catch(() => null)

  const patient = createPatientAsk(edge.ask)

  const ask = async (exchange: Exchange, input: unknown, locale: string): Promise<RpcResponse> => {
    const { req, operation } = exchange
    const family = await limits.take(FAMILIES.get(operation.family ?? '') ?? [], askerOf(exchange))
    exchange.limits = tighter(exchange.limits, family.headers)
    const waitedMs = performance.now() - exchange.startedAt
    try {
      const answer = await patient(exchange.leave, operation, JSON.stringify(input), {
        remainingMs: BUDGET_MS[classOf(exchange)] - waitedMs,
        caller: exchange.caller,
        requestId: exchange.requestId,
        commandId: operation.class === 'read' ? null : randomUUID(),
        idempotencyKey: headerText(req, 'idempotency-key'),
        locale,
        traceparent: activeTraceparent(),
        ...(operation.class === 'login' && { arrival: { at: ctx.clock.now() - waitedMs, waitedMs } }),
      })
      if (answer.meta.code || answer.meta.headers[UNCHANGED]) family.giveBack?.()
      return answer
    } catch (error) {
      family.giveBack?.()
      throw error
    }
  }

  const answerTo = async (exchange: Exchange, given: Record<string, unknown>): Promise<RpcResponse> => {
    const { req, operation } = exchange
    const input = parseInput(operation, given, Object.keys(exchange.params))
    const { username } = input as { username?: unknown }
    if (operation.class === 'login' && typeof username === 'string')
      await limits.count(PASSWORD_TRIES, { ...askerOf(exchange), email: username })
    const answer = await ask(exchange, input, localeOf(req, given))
    send(exchange, answer, ctx.site.origin, given)
    return answer
  }

  /** Files that were refused do not stay in staging; where the outcome is unknown, media's sweep decides. */
  const answerFiles = async (
    exchange: Exchange,
    query: Record<string, unknown>,
    token: string | null,
    body: Body,
  ): Promise<void> => {
    const files = Object.entries(body.files)
    // Files in lists go by their key. They are used while the request is answered, or by nobody.
    const passing = files.filter(([name, file]) => name === file.key)
    let refused = true
    try {
      const { code } = (await answerTo(exchange, gather(exchange, query, body, token))).meta
      refused = code !== null && !meaningOf(code as ErrorCode).retry
    } catch (error) {
      refused = !isRetryable(error)
      throw error
    } finally {
      const left = (refused ? files : passing).map(([, file]) => file.key)
      if (left.length) await ctx.staging.delete(left).catch(() => undefined)
    }
  }

  const identify = async (exchange: Exchange, query: Record<string, unknown>, token: string | null): Promise<void> => {
    const { req, operation, ip, buckets } = exchange
    let known: Known | null = null
    if (token !== null && operation.viewer.kind !== 'anyone') {
      const found = tokens.resolve(token, ip)
      known = found instanceof Promise ? await found : found
    }
    const base: Pick<Caller, 'ip' | 'userAgent'> = { ip, userAgent: headerText(req, 'user-agent') }
    exchange.caller = callerOf(operation, known, base)
    const isPage = exchange.query !== '' && PAGES.some((name) => name in query)
    exchange.limits = await limits.count(isPage ? buckets.paging : buckets.plain, askerOf(exchange))
    authorize(operation, known, house)
  }

  /**
   * Whether a body counts. Mastodon.py asks with one for the familiar followers; only what no cache may hold is asked so,
   * since caches know a GET by its address.
   */
  const takesBody = ({ method, operation }: Exchange): boolean =>
    method === 'GET' || method === 'HEAD' ? operation.viewer.kind === 'user' && operation.cache === 'private' : true

  return async (exchange: Exchange): Promise<void> => {
    const { req, operation } = exchange
    const query = parseQuery(exchange.query)
    const sent = bearerOf(req) ?? tokenIn(query)
    const of = classOf(exchange)
    bulkheads.admit(of, sent === null)
    const streams = isUpload(req, operation)
    // Whole bodies come before a place is taken, so that slow senders hold none (F072).
    const bytes = streams || !takesBody(exchange) ? null : await bytesOf(req, operation)
    const place = bulkheads.enter(of)
    const held = place instanceof Promise ? await place : place
    let isHeld = true
    // A request that waits for a restart gives its place back early.
    const leave = () => {
      if (isHeld) held()
      isHeld = false
    }
    exchange.leave = leave
    try {
      const early = await earlyBody(exchange, bytes, sent)
      const token = sent ?? (early ? tokenIn(early.given) : null)
      await identify(exchange, query, token)
      if (streams) return await answerFiles(exchange, query, token, await readUpload(req, operation, ctx.staging))
      if (operation.rawBody > 0) {
        send(exchange, await ask(exchange, await rawInput(exchange, bytes), ''), ctx.site.origin, {})
        return
      }
      const sentBody = early ?? (bytes ? await parseBody(req, bytes) : NO_BODY)
      await answerFiles(exchange, query, token, await withInline(sentBody, operation, ctx.staging))
    } finally {
      leave()
    }
  }
}
