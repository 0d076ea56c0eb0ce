/**
 * Refuses the first commit of a write whose process stood still after it began: its caller may have reported that the write
 * failed (docs/adr/0014).
 */

import { type Failure, fail } from '@murmuration/contracts/kit'
import type { CommitGuard } from '@murmuration/db'
import { currentRequest, type Request } from './request.js'

/** Header of a refusal by a responder that did nothing of the request, so that its caller may repeat it. */
export const NOT_BEGUN = 'Not-Begun'
/**
 * A write that may have waited for so long may be one whose caller gave up and reported its failure: the bus does so after two
 * seconds (docs/adr/0014).
 */
export const PATIENCE_MS = 1_500

export const notBegun = (): Failure =>
  fail('unavailable', 'Please try again', { retryAfter: 1, headers: { [NOT_BEGUN]: '1' } })

interface Write {
  readonly beganAt: number
  /** True if something of it is stored, here or by another service. The rest is then done too, however late. */
  hasEffects: boolean
}

const writes = new WeakMap<Request, Write>()

const currentWrite = (): Write | undefined => {
  const request = currentRequest()
  return request && writes.get(request)
}

/** Begins to watch a request that must not be done after its caller gave up. */
export const watchWrite = (request: Request): void => {
  writes.set(request, { beganAt: performance.now(), hasEffects: false })
}

/** Says that something of the current request is stored from now on. */
export const noteEffect = (): void => {
  const write = currentWrite()
  if (write) write.hasEffects = true
}

/** `longestSince` gives the longest stall of the process that ended after a time. */
export const guardCommits = (longestSince: (at: number) => number): CommitGuard => ({
  beforeCommit() {
    const write = currentWrite()
    if (write && !write.hasEffects && longestSince(write.beganAt) >= PATIENCE_MS) throw notBegun()
  },
  written: noteEffect,
})
