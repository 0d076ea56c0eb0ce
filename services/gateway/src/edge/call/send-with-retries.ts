/**
 * Retries requests to the federation service for up to nine seconds while its process restarts. Other servers stop their
 * deliveries for hours or days after a few refusals, so a short restart must not be visible to them.
 */
import type { RpcResponse } from '@murmuration/bus'
import { isNoResponse } from '@murmuration/contracts/kit'
import type { SendRequest } from '@murmuration/kernel'

/** Milliseconds from the first try to the last. Remote servers give up a delivery after ten seconds. */
const MAX_WAIT_MS = 9_000
/** Minimum milliseconds between two tries of a request. The pause is random, at most twice this value. */
const RETRY_MS = 150
/** Milliseconds without a response after which a request releases its concurrency slot, because the federation process may hang. */
const SLOW_MS = 250
/**
 * Maximum number of requests that wait for a restart at the same time, and maximum number of bytes of their payloads
 * together. Above either limit, requests are not retried.
 */
const MAX_WAITING = 2_000
const MAX_BYTES = 64 * 1_048_576

/**
 * Largest `Retry-After` in seconds that a starting process sends. Responses with a larger value mean that another
 * server failed, and are not retried.
 */
const SOON_SECONDS = 5

/**
 * Whether a request timed out, or its response shows that the process is still starting. A starting process has, for
 * example, not read the domain blocks yet.
 */
const isNotReady = ({ meta: { code, headers } }: RpcResponse): boolean => {
  if (code === 'timeout') return true
  if (code !== 'unavailable') return false
  const seconds = Number(headers['Retry-After'])
  return seconds > 0 && seconds <= SOON_SECONDS
}

export type SendWithRetries = (onWait: () => void, ...request: Parameters<SendRequest>) => ReturnType<SendRequest>

/**
 * Wraps `sendRequest`. Repeatable and reading requests to the federation service are retried while no process of it
 * responds. `onWait` is called at most once: after the first failed try, or after 250 ms without a response. The caller
 * then releases the concurrency slot of the request.
 */
export const createSendWithRetries = (sendRequest: SendRequest): SendWithRetries => {
  let waiting = 0
  let bytes = 0
  return async (onWait, operation, payload, envelope) => {
    const isHeld = operation.name.startsWith('federation.') && (operation.repeatable || operation.class === 'read')
    if (!isHeld) return sendRequest(operation, payload, envelope)
    const endsAt = performance.now() + MAX_WAIT_MS
    let isWaiting = false
    const isFull = () => !isWaiting && (waiting >= MAX_WAITING || bytes + payload.length > MAX_BYTES)
    const isLast = () => isFull() || performance.now() + RETRY_MS >= endsAt
    const startWaiting = () => {
      if (isWaiting) return
      isWaiting = true
      waiting++
      bytes += payload.length
      onWait()
    }
    const slow = setTimeout(() => {
      if (!isFull()) startWaiting()
    }, SLOW_MS)
    try {
      for (;;) {
        try {
          const remainingMs = Math.min(envelope.remainingMs, Math.max(endsAt - performance.now(), 1))
          const response = await sendRequest(operation, payload, { ...envelope, remainingMs })
          if (!isNotReady(response) || isLast()) return response
        } catch (error) {
          if (!isNoResponse(error) || isLast()) throw error
        }
        startWaiting()
        // Random pause, so that waiting requests do not all arrive at the same moment after the restart.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (1 + Math.random())))
      }
    } finally {
      clearTimeout(slow)
      if (isWaiting) {
        waiting--
        bytes -= payload.length
      }
    }
  }
}
