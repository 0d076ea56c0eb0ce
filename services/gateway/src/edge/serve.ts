/**
 * Serves one API request, in this order: load shedding, body, slot, token, rate limit, authorization, input, call of the
 * owner, response.
 */
import type { SendRequest } from '@murmuration/kernel'
import type { Context } from '../context.js'
import type { Bulkheads } from './admission/bulkhead.js'
import { countPasswordTry, countRequest } from './admission/count-request.js'
import type { Limits } from './admission/limits.js'
import { classOf } from './admission/request-class.js'
import { createCallOwner } from './call/call-owner.js'
import type { IdempotencyStore } from './call/idempotency.js'
import { type AccessSettings, authorize } from './caller/auth.js'
import { identify, tokenOf } from './caller/identify.js'
import type { Tokens } from './caller/tokens.js'
import type { Exchange } from './exchange.js'
import { parseQuery } from './input/form.js'
import { parseInput } from './input/input.js'
import { rawInput } from './input/raw-input.js'
import { findTokenInBody, mergeParameters, type Received, readBytes, readFields } from './input/received.js'
import { withStagedFiles } from './input/staged-files.js'
import { localeOf } from './locale.js'
import { send } from './response/send.js'

/** Dependencies that all requests of an HTTP surface share. */
export interface Edge {
  readonly ctx: Pick<Context, 'clock' | 'site' | 'staging'>
  readonly tokens: Tokens
  readonly limits: Limits
  readonly bulkheads: Bulkheads
  readonly sendRequest: SendRequest
  readonly idempotency: IdempotencyStore
  readonly access: AccessSettings
}

export const createServe = (edge: Edge) => {
  const { ctx, tokens, limits, bulkheads, access } = edge
  const { origin } = ctx.site
  const callOwner = createCallOwner(edge)

  /** Serves a request with a signed body, which is passed on unparsed. */
  const serveRaw = async (exchange: Exchange, { bytes }: Received): Promise<void> => {
    const response = await callOwner(exchange, await rawInput(exchange, bytes), '')
    send(exchange, response, origin, {})
  }

  const serveFields = async (exchange: Exchange, received: Received): Promise<void> => {
    const { req, operation, params } = exchange
    const body = await readFields(exchange, received, ctx.staging)
    await withStagedFiles(ctx.staging, body.files, async () => {
      const given = mergeParameters(exchange, received, body)
      const input = parseInput(operation, given, Object.keys(params))
      await countPasswordTry(limits, exchange, input)
      const response = await callOwner(exchange, input, localeOf(req, given))
      send(exchange, response, origin, given)
      return response
    })
  }

  return async (exchange: Exchange): Promise<void> => {
    const { req, operation } = exchange
    const query = parseQuery(exchange.query)
    const token = tokenOf(req, query)
    bulkheads.admit(classOf(exchange), token === null)
    // The complete body is read before a concurrency slot is taken, so that slow clients occupy no slot (F072).
    const bytes = await readBytes(exchange)
    await takeSlot(exchange, bulkheads)
    try {
      const received = await findTokenInBody(exchange, { query, token, bytes, body: null })
      const lookup = await identify(tokens, exchange, received.token)
      exchange.limits = await countRequest(limits, exchange, query)
      authorize(operation, lookup, access)
      await (operation.rawBody > 0 ? serveRaw : serveFields)(exchange, received)
    } finally {
      exchange.releaseSlot()
    }
  }
}

/**
 * Takes a concurrency slot. A request that waits for a restart of the owning service releases its slot early, so
 * `releaseSlot` may be called twice.
 */
const takeSlot = async (exchange: Exchange, bulkheads: Bulkheads): Promise<void> => {
  const release = await bulkheads.enter(classOf(exchange))
  let isTaken = true
  exchange.releaseSlot = () => {
    if (isTaken) release()
    isTaken = false
  }
}
