/**
 * Refuses the first commit of a write whose process stalled after it began, because its caller may have reported a
 * failure (docs/adr/0014).
 */

import { type Failure, fail } from '@murmuration/contracts/kit'
import type { CommitGuard } from '@murmuration/db'
import { currentRequest, type Request } from './request.js'

/** Header of a refusal by a responder that did no part of a request. The caller may then repeat the request. */
export const NOT_STARTED = 'Not-Begun'
/**
 * Milliseconds of a stall from which on the first commit of a write is refused. Its caller may have reported a failure
 * by then ("Late commits" in docs/adr/0014).
 */
export const PATIENCE_MS = 1_500

/** Creates the refusal of a responder that did no part of a request: `unavailable`, to be repeated after a second. */
export const notStarted = (): Failure =>
  fail('unavailable', 'Please try again', { retryAfter: 1, headers: { [NOT_STARTED]: '1' } })

interface Write {
  readonly beganAt: number
  /**
   * True if a part of the write is stored, here or by another service. The rest of such a write is then stored as well,
   * however late.
   */
  hasEffects: boolean
}

const writes = new WeakMap<Request, Write>()

const currentWrite = (): Write | undefined => {
  const request = currentRequest()
  return request && writes.get(request)
}

/** Marks the request as a write that must not begin to commit after its caller gave up. */
export const watchWrite = (request: Request): void => {
  writes.set(request, { beganAt: performance.now(), hasEffects: false })
}

/** Records that a part of the current request is stored. */
export const recordEffect = (): void => {
  const write = currentWrite()
  if (write) write.hasEffects = true
}

/**
 * Creates the guard of commits of a service. `longestSince` returns the longest stall, in milliseconds, that ended
 * after the given time.
 */
export const guardCommits = (longestSince: (at: number) => number): CommitGuard => ({
  beforeCommit() {
    const write = currentWrite()
    if (write && !write.hasEffects && longestSince(write.beganAt) >= PATIENCE_MS) throw notStarted()
  },
  written: recordEffect,
})
