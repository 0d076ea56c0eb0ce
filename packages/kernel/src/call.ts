/** Calls other services: typed by the contract, limited by the caller's deadline, and repeated where that is safe. */

import { randomUUID } from 'node:crypto'
import {
  type Envelope,
  type NatsConnection,
  NotReceived,
  ResponderLost,
  type RpcResponse,
  sendRequest,
} from '@murmuration/bus'
import {
  type AnyOperation,
  type ErrorCode,
  Failure,
  fail,
  type Json,
  type Operation,
  type ResultOf,
  receivedText,
} from '@murmuration/contracts/kit'
import type { z } from 'zod'
import { NOT_STARTED, recordEffect } from './late-commits.js'
import { recordWrite } from './received-writes.js'
import { currentRequest } from './request.js'
import { activeTraceparent } from './trace.js'

const decoder = new TextDecoder()
const ATTEMPT_MS = 2_000
const DEFAULT_MS = 5_000

/**
 * Calls an operation that the manifest of the service lists in `calls`; other operations are type errors. The input
 * must already contain all defaults, as the output of the input schema does. The called service does not validate it
 * again.
 */
export type Call<Calls extends AnyOperation> = <Op extends Calls>(
  operation: Op,
  input: Op extends Operation<infer I, infer _O, infer _K> ? z.output<I> : never,
  options?: { timeoutMs?: number },
) => Promise<Op extends Operation<infer _I, infer O, infer _K> ? ResultOf<O> : never>

/** Sends an operation with a serialized payload. Resolves with the raw response, which may be a refusal. */
export type SendRequest = (
  operation: AnyOperation,
  payload: Uint8Array | string,
  envelope: Envelope,
) => Promise<RpcResponse>

const codeOf = (error: unknown): ErrorCode | null => (error instanceof Failure ? error.code : null)
const isLost = (error: unknown): boolean => error instanceof Failure && error.extras.cause instanceof ResponderLost
/** True if no process received the request, so that nothing was changed. */
export const isNotReceived = (error: unknown): boolean =>
  error instanceof Failure && error.extras.cause instanceof NotReceived

/** Maximum attempts for a subject without responders. The pauses between the attempts are 25 ms and 50 ms. */
const UNANSWERED_TIMES = 3
const UNANSWERED_MS = 25
/** Milliseconds between attempts after the responder of a request ended, until another process serves the subject. */
const SUCCESSOR_MS = 100
/** If fewer than this many milliseconds remain until the deadline, no further attempt is made. */
const SHORTEST_MS = 100

/**
 * Repeats a request until there is a response, repeating is unsafe, or the deadline is over:
 * | no response, because | read, or another repeatable operation | write |
 * |---|---|---|
 * | the subject has no responder, so nothing was done | three attempts | three attempts |
 * | the responder ended or hangs | repeated until the deadline | fails, after five seconds if it hangs |
 * | the responder did not begin, because the caller may have given up | – | repeated until the deadline |
 * | the response takes more than ATTEMPT_MS, or the bus was lost | one more attempt | fails at the deadline |
 */
export const createSendRequest = (nc: NatsConnection): SendRequest => {
  return async (operation, payload, envelope) => {
    const endsAt = performance.now() + envelope.remainingMs
    const { repeatable } = operation
    let isFirst = true
    let isBereft = false
    for (let unanswered = 0; ; ) {
      const left = endsAt - performance.now()
      if (left <= 0) throw fail('timeout', 'The request took too long, please try again', { retryAfter: 2 })
      const remainingMs = operation.class === 'read' && isFirst ? Math.min(left, ATTEMPT_MS) : left
      const recordNotReceived = repeatable ? null : recordWrite()
      try {
        const options = { together: operation.batchable, repeatable }
        const response = await sendRequest(nc, operation.subject, payload, { ...envelope, remainingMs }, options)
        if (response.meta.headers[NOT_STARTED] === undefined || endsAt - performance.now() < SHORTEST_MS)
          return response
        await new Promise((resolve) => setTimeout(resolve, UNANSWERED_MS))
      } catch (error) {
        if (isNotReceived(error)) recordNotReceived?.()
        if (endsAt - performance.now() < SHORTEST_MS) throw error
        if (isLost(error)) {
          if (!repeatable) throw error
          isBereft = true
        } else if (codeOf(error) === 'unavailable') {
          if (++unanswered >= UNANSWERED_TIMES && !isBereft) throw error
          await new Promise((resolve) => setTimeout(resolve, isBereft ? SUCCESSOR_MS : UNANSWERED_MS * unanswered))
        } else if (codeOf(error) === 'timeout' && repeatable && isFirst) isFirst = false
        else throw error
      }
    }
  }
}

/** Text of a refusal. In some response bodies, `error` is not the text but an object whose `error` is the text. */
const textOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'error' in error ? String(error.error) : String(error)

/** Converts a refusal in a response to a Failure, with its status, body and headers. */
export const failureOf = (response: RpcResponse): Failure => {
  const body = JSON.parse(decoder.decode(response.bytes)) as Record<string, unknown>
  const { error, code, request_id: _id, ...rest } = body
  const retryAfter = Number(response.meta.headers['Retry-After'])
  const { phrases = {} } = response.meta
  return new Failure((response.meta.code ?? code ?? 'unknown') as ErrorCode, receivedText(textOf(error), phrases), {
    body: typeof error === 'object' ? { error, ...rest } : rest,
    phrases,
    status: response.meta.status,
    ...(retryAfter ? { retryAfter } : {}),
  })
}

/** Decodes the output of an operation by its contract. Throws a Failure if the response is a refusal. */
export const decodeResponse = (operation: AnyOperation, response: RpcResponse): unknown => {
  if (response.meta.code) throw failureOf(response)
  if (operation.output.kind === 'raw') return response.bytes
  const text = decoder.decode(response.bytes)
  if (operation.output.kind !== 'lines') return text === '' ? null : JSON.parse(text)
  const lines = new Map<string, Json<unknown>>()
  if (text)
    for (const line of text.split('\n')) {
      const tab = line.indexOf('\t')
      lines.set(line.slice(0, tab), line.slice(tab + 1) as Json<unknown>)
    }
  return lines
}

/**
 * Creates the function that calls operations of other services. It throws an Error for an operation outside of `allowed`, and a
 * Failure for a refusal or if no response arrives in time. `timeoutMs` can only shorten the time that the current request has
 * left.
 */
export const createCall = <Calls extends AnyOperation>(
  nc: NatsConnection,
  allowed: readonly AnyOperation[],
): Call<Calls> => {
  const subjects = new Set(allowed.map((one) => one.subject))
  const sendRequest = createSendRequest(nc)
  return (async (operation: AnyOperation, input: unknown, options: { timeoutMs?: number } = {}) => {
    if (!subjects.has(operation.subject)) throw new Error(`${operation.name} is not among this service's calls`)
    const request = currentRequest()
    if (!operation.repeatable) recordEffect()
    const left = request === undefined ? DEFAULT_MS : request.endsAt - performance.now()
    const response = await sendRequest(operation, JSON.stringify(input), {
      remainingMs: Math.min(left, options.timeoutMs ?? left),
      caller: request?.caller ?? null,
      requestId: request?.requestId ?? randomUUID(),
      commandId: null,
      idempotencyKey: null,
      locale: request?.locale ?? '',
      traceparent: activeTraceparent(request?.traceparent),
    })
    return decodeResponse(operation, response)
  }) as Call<Calls>
}
