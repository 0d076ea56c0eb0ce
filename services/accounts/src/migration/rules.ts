/** Whether somebody may move, and who of the people here follows along. */

import { type Failure, fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { REMOTE_REST_MS } from '../core/remote.rules.js'

/** Where somebody wants to live. */
export interface MoveTarget {
  id: string
  suspended: boolean
  usable: boolean
  moved_to_id: string | null
  also_known_as: readonly string[]
}

export type TargetFault = 'unknown' | 'same' | 'moved' | 'no-alias'

/** Null when this account may be moved to: it is there to stay, and says that it is the same person. */
export const targetFault = (self: { id: string; uri: string }, home: MoveTarget | null): TargetFault | null => {
  if (home === null || home.suspended || !home.usable) return 'unknown'
  if (home.id === self.id) return 'same'
  if (home.moved_to_id !== null) return 'moved'
  return home.also_known_as.includes(self.uri) ? null : 'no-alias'
}

const WORDS: Record<TargetFault, string> = {
  unknown: 'New account could not be found',
  same: 'New account cannot be the current account',
  moved: 'New account has moved itself',
  'no-alias': 'New account does not name this account as an alias',
}

export const refusedTarget = (fault: TargetFault): Failure => invalidField(WORDS[fault])

/** When somebody who moved at this time may move again; null when that is now. */
export const nextMoveAt = (lastAt: Date | null, now: number): Date | null => {
  if (lastAt === null) return null
  const next = lastAt.getTime() + limits.accounts.moveCoolDownSeconds * 1_000
  return next > now ? new Date(next) : null
}

export const movedTooRecently = (next: Date): Failure =>
  fail('unprocessable', `You moved recently. You can move again on ${next.toISOString().slice(0, 10)}.`)

export const movedRecently = (lastAt: Date | null, now: number): boolean =>
  lastAt !== null && now - lastAt.getTime() < REMOTE_REST_MS

/** A local follower of an account that moved. */
export interface Mover {
  id: string
  silenced: boolean
  /** Something keeps them and the new home apart: a block either way, or a blocked domain. */
  apart: boolean
  /** They follow the new home already, or asked to. */
  there: boolean
}

/**
 * `stay` keeps the old follow, `leave` only ends it, `follow` and `ask` begin the new one first. Where both homes are
 * here, a locked one need not be asked: whoever followed the old one was let in once.
 */
export const wayOf = (
  mover: Mover,
  from: { domain: string | null },
  to: { id: string; domain: string | null; locked: boolean },
): 'stay' | 'leave' | 'follow' | 'ask' => {
  if (mover.apart || mover.id === to.id) return 'stay'
  if (mover.there) return 'leave'
  if (to.domain !== null) return 'ask'
  return from.domain !== null && (to.locked || mover.silenced) ? 'ask' : 'follow'
}
