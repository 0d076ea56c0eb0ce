/**
 * Waits for federation while its process restarts: other servers stop sending for a long time after a few refusals, so
 * their requests are held and repeated for some seconds before they are refused.
 */
import type { RpcResponse } from '@murmuration/bus'
import { Failure } from '@murmuration/contracts/kit'
import type { AskRaw } from '@murmuration/kernel'

/** Less than the ten seconds after which other servers give up a delivery, counted from the request. */
const PATIENCE_MS = 9_000
const AGAIN_MS = 150
/** A request without an answer for so long waits: its process may hang, and it must not take the place of others. */
const SLOW_MS = 250
/** Requests that wait at once, and bytes of their bodies; more are refused at once. */
const MOST_WAITING = 2_000
const MOST_BYTES = 64 * 1_048_576

const isAbsent = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 'unavailable' || error.code === 'timeout')

/** Seconds. A process that has just started asks to come back so soon; waiting for another server takes longer. */
const SOON_SECONDS = 5

/** True for an answer of a process that cannot serve yet, such as before it has read the domain blocks, or ran out of time. */
const isNotReady = ({ meta: { code, headers } }: RpcResponse): boolean => {
  if (code === 'timeout') return true
  if (code !== 'unavailable') return false
  const seconds = Number(headers['Retry-After'])
  return seconds > 0 && seconds <= SOON_SECONDS
}

export type RetryingAsk = (onWait: () => void, ...asked: Parameters<AskRaw>) => ReturnType<AskRaw>

/**
 * Asks like `ask`. A repeatable request to federation is repeated while nothing answers it there; `onWait` is called once
 * when it begins to wait, or has waited 250 ms for its first answer, so that it holds up no other request.
 */
export const createRetryingAsk = (ask: AskRaw): RetryingAsk => {
  let waiting = 0
  let bytes = 0
  return async (onWait, operation, payload, envelope) => {
    const isHeld = operation.name.startsWith('federation.') && (operation.repeatable || operation.class === 'read')
    if (!isHeld) return ask(operation, payload, envelope)
    const endsAt = performance.now() + PATIENCE_MS
    let isWaiting = false
    const isFull = () => !isWaiting && (waiting >= MOST_WAITING || bytes + payload.length > MOST_BYTES)
    const isLast = () => isFull() || performance.now() + AGAIN_MS >= endsAt
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
          const answer = await ask(operation, payload, { ...envelope, remainingMs })
          if (!isNotReady(answer) || isLast()) return answer
        } catch (error) {
          if (!isAbsent(error) || isLast()) throw error
        }
        startWaiting()
        // Not all at the same moment when it is back.
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * (1 + Math.random())))
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
