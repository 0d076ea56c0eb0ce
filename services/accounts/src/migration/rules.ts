/** Decides whether an account may move, and which local followers move along. */

import { type ErrorText, errorText, type Failure, fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { REMOTE_COOLDOWN_MS } from '../core/account/remote.rules.js'
import { isAddressOf, type OwnNames } from '../core/address/page.rules.js'

/** The target of a move. */
export interface MoveTarget {
  id: string
  suspended: boolean
  usable: boolean
  moved_to_id: string | null
  also_known_as: readonly string[]
}

export type TargetFault = 'unknown' | 'same' | 'moved' | 'no-alias'

/**
 * The reason why an account cannot move to `target`, or null. The target must exist, be active, not have moved, and
 * have the account as alias, by its id or its page.
 */
export const targetFault = (
  self: { id: string; uri: string; url: string | null; username: string; domain: string | null },
  target: MoveTarget | null,
  own: OwnNames,
): TargetFault | null => {
  if (target === null || target.suspended || !target.usable) return 'unknown'
  if (target.id === self.id) return 'same'
  if (target.moved_to_id !== null) return 'moved'
  return target.also_known_as.some((alias) => isAddressOf(alias, self, own)) ? null : 'no-alias'
}

const WORDS: Record<TargetFault, ErrorText> = {
  unknown: errorText('New account could not be found'),
  same: errorText('New account cannot be the current account'),
  moved: errorText('New account has moved itself'),
  'no-alias': errorText('New account does not name this account as an alias'),
}

export const refusedTarget = (fault: TargetFault): Failure => invalidField(WORDS[fault])

/** The time of the next allowed move after a move at `lastAt`; null if a move is allowed now. */
export const nextMoveAt = (lastAt: Date | null, now: number): Date | null => {
  if (lastAt === null) return null
  const next = lastAt.getTime() + limits.accounts.moveCoolDownSeconds * 1_000
  return next > now ? new Date(next) : null
}

export const movedTooRecently = (next: Date): Failure =>
  fail(
    'unprocessable',
    errorText('You moved recently. You can move again on {day}.', { day: next.toISOString().slice(0, 10) }),
  )

export const movedRecently = (lastAt: Date | null, now: number): boolean =>
  lastAt !== null && now - lastAt.getTime() < REMOTE_COOLDOWN_MS

/** A local follower of an account that moved. */
export interface MovedFollower {
  id: string
  silenced: boolean
  /** A block between the follower and the target in either direction, or a domain block by the follower. */
  hidden: boolean
  /** The follower follows the target of the move already, or has sent it a follow request. */
  there: boolean
}

/**
 * Effect of a move on a local follower of the account that moved.
 *
 * - `stay`: the old follow is kept.
 * - `leave`: the old follow ends.
 * - `follow`, `ask`: the old follow ends after a new follow or request began.
 *
 * If the old account and the target are local, a locked target gets no follow request but a follow. Its owner accepted the follower once.
 */
export const effectOfMove = (
  mover: MovedFollower,
  from: { domain: string | null },
  to: { id: string; domain: string | null; locked: boolean },
): 'stay' | 'leave' | 'follow' | 'ask' => {
  if (mover.hidden || mover.id === to.id) return 'stay'
  if (mover.there) return 'leave'
  if (to.domain !== null) return 'ask'
  return from.domain !== null && (to.locked || mover.silenced) ? 'ask' : 'follow'
}
