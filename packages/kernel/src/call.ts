/** Asking another service: typed by the contract, bounded by the caller's deadline, repeated once when that is safe. */

import { randomUUID } from 'node:crypto'
import { type Answer, ask, type Envelope, type NatsConnection } from '@murmuration/bus'
import {
  type AnyOperation,
  type ErrorCode,
  Failure,
  fail,
  type Json,
  type Operation,
  type ResultOf,
} from '@murmuration/contracts/kit'
import type { z } from 'zod'
import { currentRequest } from './request.js'
import { activeTraceparent } from './trace.js'

const decoder = new TextDecoder()
const ATTEMPT_MS = 2_000
const DEFAULT_MS = 5_000

/**
 * Asks one operation of the service's `calls`; anything else is a type error. Services believe each other: nobody reads the
 * input by its schema again, so it is given as the schema would leave it, with every default.
 */
export type Call<Calls extends AnyOperation> = <Op extends Calls>(
  operation: Op,
  input: Op extends Operation<infer I, infer _O, infer _K> ? z.output<I> : never,
  options?: { timeoutMs?: number },
) => Promise<Op extends Operation<infer _I, infer O, infer _K> ? ResultOf<O> : never>

/** Sends an operation with a ready payload and gives back the raw answer, refusals included. */
export type AskRaw = (operation: AnyOperation, payload: Uint8Array | string, envelope: Envelope) => Promise<Answer>

const retryable = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 'unavailable' || error.code === 'timeout')

/**
 * One attempt, or two for reads; "nobody answers" is safe to repeat for writes too, since nothing was done.
 */
export const createAskRaw = (nc: NatsConnection): AskRaw => {
  const once = (operation: AnyOperation, payload: Uint8Array | string, envelope: Envelope, timeoutMs: number) =>
    ask(nc, operation.subject, payload, { ...envelope, remainingMs: timeoutMs }, operation.comesInCrowds)
  return async (operation, payload, envelope) => {
    const endsAt = performance.now() + envelope.remainingMs
    const reads = operation.class === 'read'
    for (let attempt = 1; ; attempt++) {
      const left = endsAt - performance.now()
      if (left <= 0) throw fail('timeout', 'The request took too long, please try again', { retryAfter: 2 })
      try {
        return await once(operation, payload, envelope, reads && attempt === 1 ? Math.min(left, ATTEMPT_MS) : left)
      } catch (error) {
        const nobody = error instanceof Failure && error.code === 'unavailable'
        const again = retryable(error) && (nobody ? attempt < 3 : reads && attempt < 2)
        if (!again || endsAt - performance.now() < 100) throw error
        if (nobody) await new Promise((resolve) => setTimeout(resolve, 25 * attempt))
      }
    }
  }
}

/** Where clients expect the whole refusal under `error`, its text is one step further in. */
const textOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'error' in error ? String(error.error) : String(error)

/** Turns a refusal that came back into a Failure of ours, with what the other side let us know. */
export const failureOf = (answer: Answer): Failure => {
  const body = JSON.parse(decoder.decode(answer.bytes)) as Record<string, unknown>
  const { error, code, request_id: _id, ...rest } = body
  const retryAfter = Number(answer.meta.headers['Retry-After'])
  return new Failure((answer.meta.code ?? code ?? 'unknown') as ErrorCode, textOf(error), {
    body: typeof error === 'object' ? { error, ...rest } : rest,
    status: answer.meta.status,
    ...(retryAfter ? { retryAfter } : {}),
  })
}

/** Decodes an answer by its contract. */
export const decodeAnswer = (operation: AnyOperation, answer: Answer): unknown => {
  if (answer.meta.code) throw failureOf(answer)
  if (operation.output.kind === 'raw') return answer.bytes
  const text = decoder.decode(answer.bytes)
  if (operation.output.kind !== 'lines') return text === '' ? null : JSON.parse(text)
  const lines = new Map<string, Json<unknown>>()
  if (text)
    for (const line of text.split('\n')) {
      const tab = line.indexOf('\t')
      lines.set(line.slice(0, tab), line.slice(tab + 1) as Json<unknown>)
    }
  return lines
}

export const createCall = <Calls extends AnyOperation>(
  nc: NatsConnection,
  allowed: readonly AnyOperation[],
): Call<Calls> => {
  const subjects = new Set(allowed.map((one) => one.subject))
  const askRaw = createAskRaw(nc)
  return (async (operation: AnyOperation, input: unknown, options: { timeoutMs?: number } = {}) => {
    if (!subjects.has(operation.subject)) throw new Error(`${operation.name} is not among this service's calls`)
    const request = currentRequest()
    const left = request === undefined ? DEFAULT_MS : request.endsAt - performance.now()
    const answer = await askRaw(operation, JSON.stringify(input), {
      remainingMs: Math.min(left, options.timeoutMs ?? left),
      caller: request?.caller ?? null,
      requestId: request?.requestId ?? randomUUID(),
      commandId: null,
      idempotencyKey: null,
      locale: request?.locale ?? '',
      traceparent: activeTraceparent(request?.traceparent),
    })
    return decodeAnswer(operation, answer)
  }) as Call<Calls>
}
