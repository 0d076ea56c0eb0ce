/**
 * Serves operations. Reads the envelope, limits the handler by its deadline, and creates a trace. Each outcome is sent
 * as one response.
 */

import {
  type Envelope,
  MAX_MESSAGE,
  MAX_RESPONSE,
  metaOf,
  type ReplyMeta,
  type RpcRequest,
  type RpcResponse,
  type ServedService,
  serveEndpoint,
} from '@murmuration/bus'
import {
  type AnyOperation,
  asFailure,
  type Failure,
  fail,
  isReply,
  meaningOf,
  phrasesOf,
} from '@murmuration/contracts/kit'
import { DroppedReply, type Faults } from './faults.js'
import type { OperationEntry } from './handlers.js'
import { notStarted, PATIENCE_MS, watchWrite } from './late-commits.js'
import type { Log } from './log.js'
import { expiredRequests, rpcSeconds } from './metrics.js'
import { type Request, within } from './request.js'
import { traced } from './trace.js'

export interface ServeOptions {
  service: string
  ctx: unknown
  log: Log
  faults: Faults
  /** True when each response is checked against its contract, as in tests and development. */
  checkOutputs: boolean
  /** Requests in progress. A stop waits for them. */
  inHand: Set<Promise<unknown>>
  /** Milliseconds for which a request may have waited in this process before it was read. */
  waitedMs(): number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const FAILED: Omit<ReplyMeta, 'status' | 'code' | 'headers'> = { next: null, prev: null }

/** Public error body: the text that clients expect, a stable code, and the request id. */
export const failureBody = (failure: Failure, requestId: string): string =>
  JSON.stringify({ error: failure.message, ...failure.extras.body, code: failure.code, request_id: requestId })

/** Maximum characters of the translatable error texts of a refusal. If they are longer, the client gets the English texts. */
const MAX_PHRASES = 16_384

const phraseMeta = (failure: Failure): Pick<ReplyMeta, 'phrases'> => {
  const phrases = phrasesOf(failure)
  const isSent = Object.keys(phrases).length > 0 && JSON.stringify(phrases).length <= MAX_PHRASES
  return isSent ? { phrases } : {}
}

const refusal = (failure: Failure, requestId: string): RpcResponse => ({
  bytes: encoder.encode(failureBody(failure, requestId)),
  meta: {
    ...FAILED,
    ...phraseMeta(failure),
    status: failure.status,
    code: failure.code,
    headers: {
      ...failure.extras.headers,
      ...(failure.extras.retryAfter ? { 'Retry-After': String(failure.extras.retryAfter) } : {}),
    },
  },
})

/** Checks a response against the contract. Throws when the response does not match the contract. */
export const checkOutput = (operation: AnyOperation, bytes: Uint8Array): void => {
  const { output } = operation
  if (output.kind === 'raw') return
  const text = decoder.decode(bytes)
  const check = (
    schema: { safeParse(v: unknown): { success: boolean; error?: { issues: unknown[] } } },
    value: unknown,
  ) => {
    const result = schema.safeParse(value)
    if (!result.success)
      throw new Error(
        `${operation.name} returned a response that its contract does not allow: ${JSON.stringify(result.error?.issues.slice(0, 3))}`,
      )
  }
  if (output.kind === 'json') check(output.schema, JSON.parse(text))
  else if (output.kind === 'page') for (const item of JSON.parse(text)) check(output.item, item)
  else
    for (const line of text ? text.split('\n') : []) check(output.item, JSON.parse(line.slice(line.indexOf('\t') + 1)))
}

const encode = (operation: AnyOperation, value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value
  if (operation.output.kind === 'lines')
    return encoder.encode([...(value as ReadonlyMap<string, string>)].map(([id, text]) => `${id}\t${text}`).join('\n'))
  return encoder.encode(typeof value === 'string' ? value : JSON.stringify(value ?? {}))
}

const handle = async (
  entry: OperationEntry,
  options: ServeOptions,
  envelope: Envelope,
  data: RpcRequest['data'],
): Promise<RpcResponse> => {
  const { operation } = entry
  const request: Request = { ...envelope, endsAt: performance.now() + envelope.remainingMs }
  if (!operation.repeatable) watchWrite(request)
  const text = typeof data === 'string' ? data : decoder.decode(data)
  const input = text === '' ? {} : JSON.parse(text)
  const result = await within(request, () =>
    traced(options.service, operation.name, envelope.traceparent, () =>
      entry.run(options.ctx, envelope.caller?.viewer ?? null, input, request),
    ),
  )
  await options.faults.reach(`${options.service}.beforeReply`)
  const reply = isReply(result) ? result : null
  const bytes = encode(operation, reply ? reply.body : result)
  if (options.checkOutputs && (reply?.status ?? 200) < 300) checkOutput(operation, bytes)
  if (bytes.length > (operation.large ? MAX_RESPONSE : MAX_MESSAGE)) {
    options.log.error({ operation: operation.name, bytes: bytes.length }, 'a response is too large')
    throw fail('too_large', 'The response is too large, please request less')
  }
  return { bytes, meta: metaOf(reply) }
}

/**
 * Reads the envelope of a request. Envelopes that services of this product send are always valid, so an invalid
 * envelope has another sender (F022).
 */
const envelopeOf = (rpcRequest: RpcRequest): Envelope => {
  try {
    return rpcRequest.envelope()
  } catch (cause) {
    throw fail('invalid', 'The request is malformed', { cause })
  }
}

/** Registers one operation on the bus. */
export const serveOperation = (endpoint: ServedService, entry: OperationEntry, options: ServeOptions): void => {
  const { operation } = entry
  serveEndpoint(endpoint, {
    name: operation.name.slice(operation.service.length + 1),
    subject: operation.subject,
    about: operation.about,
    large: operation.large,
    unsent: (error) => options.log.warn({ operation: operation.name, error }, 'a response could not be sent'),
    handle(rpcRequest) {
      const started = performance.now()
      // A read is served however long it waited, because a late read does no harm.
      const waitedMs = operation.repeatable ? 0 : options.waitedMs()
      const finish = (code: string) =>
        rpcSeconds.observe(
          { service: options.service, operation: operation.name, code },
          (performance.now() - started) / 1000,
        )
      const work = (async (): Promise<RpcResponse | null> => {
        let requestId = ''
        try {
          const envelope = envelopeOf(rpcRequest)
          requestId = envelope.requestId
          if (envelope.remainingMs <= waitedMs) {
            expiredRequests.inc({ service: options.service })
            finish('expired')
            return refusal(fail('timeout', 'The request took too long, please try again', { retryAfter: 2 }), requestId)
          }
          if (waitedMs >= PATIENCE_MS) {
            finish('late')
            return refusal(notStarted(), requestId)
          }
          const reply = await handle(entry, options, envelope, rpcRequest.data)
          finish('ok')
          return reply
        } catch (error) {
          if (error instanceof DroppedReply) return null
          const failure = asFailure(error)
          const loud = meaningOf(failure.code).log
          if (loud !== 'quiet')
            options.log[loud](
              { operation: operation.name, requestId, error: failure.extras.cause ?? failure },
              'operation failed',
            )
          finish(failure.code)
          return refusal(failure, requestId)
        }
      })()
      options.inHand.add(work)
      work.finally(() => options.inHand.delete(work))
      return work
    },
  })
}
