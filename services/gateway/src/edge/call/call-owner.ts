/**
 * Sends a request over the bus to the service that owns the operation. The time limit depends on the class of the request.
 * POST requests of staff are carried out once per `Idempotency-Key`, except after the faults that `idempotency.ts` lists. For other
 * requests, the owner stores the idempotency keys.
 */
import { hash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RpcResponse } from '@murmuration/bus'
import { STAFF_PREFIX } from '@murmuration/contracts/admin'
import { BUDGET_MS, isNoResponseCode } from '@murmuration/contracts/kit'
import { limits as fixedLimits } from '@murmuration/contracts/limits'
import { activeTraceparent, type SendRequest } from '@murmuration/kernel'
import type { Context } from '../../context.js'
import { familyOf, requesterOf } from '../admission/count-request.js'
import { type Limits, tighter } from '../admission/limits.js'
import { classOf } from '../admission/request-class.js'
import type { Exchange } from '../exchange.js'
import { UNCHANGED } from '../response/send.js'
import { type IdempotencyStore, UNKNOWN_MS } from './idempotency.js'
import { createSendWithRetries } from './send-with-retries.js'

const headerText = (req: IncomingMessage, name: string): string | null => {
  const value = req.headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Prefixes of the paths of operations for staff. */
const STAFF_PATHS = [`${STAFF_PREFIX}/`, '/api/v1/admin/']
const KEPT_MS = fixedLimits.statuses.idempotencyKeySeconds * 1_000

const isFile = (value: unknown): value is { readonly key: string } =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'size' in value &&
  'type' in value

/** Staging keys of all files in the input of a request. */
const stagedKeys = (value: unknown): string[] => {
  if (isFile(value)) return [value.key]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stagedKeys) : []
}

/**
 * The input of a request as text for comparison. A staged file counts by name, type and size, because each upload is
 * stored under another key.
 */
const textOf = (input: unknown): string =>
  JSON.stringify(input, (_, value: unknown) => (isFile(value) ? { ...value, key: null } : value)) ?? ''

/**
 * Name by which a POST request of staff is recognised when it is repeated; null for all other requests. Another input
 * gives another name, such as the same request without `dry_run`.
 */
const idempotencyNameOf = (
  { req, method, path, operation, route, caller }: Exchange,
  input: unknown,
): string | null => {
  const key = headerText(req, 'idempotency-key')
  if (key === null || method !== 'POST' || operation.class === 'read' || caller.viewer === null) return null
  if (!STAFF_PATHS.some((prefix) => route.path.startsWith(prefix))) return null
  return `api ${caller.viewer.id} ${path} ${hash('sha256', textOf(input), 'base64url')} ${key}`
}

/** The response of a service, in the form in which Redis stores it. */
interface Kept {
  readonly meta: RpcResponse['meta']
  /** Body of the response in base64. */
  readonly bytes: string
}

const keepMs = ({ meta: { code } }: Kept): number => {
  if (code === null) return KEPT_MS
  return isNoResponseCode(code) ? UNKNOWN_MS : 0
}

/**
 * Creates the function that sends requests to the services that own the operations. The function counts each request
 * against the rate limit of its family. After an error, or if the request changed nothing, the count is undone.
 */
export const createCallOwner = ({
  ctx,
  limits,
  sendRequest,
  idempotency,
}: {
  ctx: Pick<Context, 'clock' | 'staging'>
  limits: Limits
  sendRequest: SendRequest
  idempotency: IdempotencyStore
}) => {
  const sendWithRetries = createSendWithRetries(sendRequest)
  const callNow = async (exchange: Exchange, input: unknown, locale: string): Promise<RpcResponse> => {
    const { req, operation } = exchange
    const family = await limits.take(familyOf(operation.family), requesterOf(exchange))
    exchange.limits = tighter(exchange.limits, family.headers)
    const waitedMs = performance.now() - exchange.startedAt
    try {
      const response = await sendWithRetries(exchange.releaseSlot, operation, JSON.stringify(input), {
        remainingMs: BUDGET_MS[classOf(exchange)] - waitedMs,
        caller: exchange.caller,
        requestId: exchange.requestId,
        commandId: operation.class === 'read' ? null : randomUUID(),
        idempotencyKey: headerText(req, 'idempotency-key'),
        locale,
        traceparent: activeTraceparent(),
        ...(operation.class === 'login' && { arrival: { at: ctx.clock.now() - waitedMs, waitedMs } }),
      })
      if (response.meta.code || response.meta.headers[UNCHANGED]) family.refund?.()
      return response
    } catch (error) {
      family.refund?.()
      throw error
    }
  }
  return async (exchange: Exchange, input: unknown, locale: string): Promise<RpcResponse> => {
    const name = idempotencyNameOf(exchange, input)
    if (name === null) return callNow(exchange, input, locale)
    let isFirst = false
    const work = async (): Promise<Kept> => {
      isFirst = true
      const { meta, bytes } = await callNow(exchange, input, locale)
      return { meta, bytes: Buffer.from(bytes).toString('base64') }
    }
    try {
      const { meta, bytes } = await idempotency.run(name, work, keepMs)
      return { meta, bytes: Buffer.from(bytes, 'base64') }
    } finally {
      // The uploaded files of a repeated request are deleted, because the service received the files of the first request.
      if (!isFirst) await ctx.staging.delete(stagedKeys(input)).catch(() => undefined)
    }
  }
}
