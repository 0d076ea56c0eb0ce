/** Decides whether an account has moved: the new account must name the old one. */

import type { ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import type { IncomingActor } from '@murmuration/activitypub/vocabulary/actor'

/** Milliseconds for which one Move per account is enough. */
export const moveCooldown = 7 * 24 * 3_600_000

export type MoveRefusal =
  | 'not-yours'
  | 'moved-recently'
  | 'no-target'
  | 'target-suspended'
  | 'target-moved'
  | 'no-alias'

/**
 * Null when followers here may be moved. `target` is the new actor, freshly read from its own address or from our store;
 * `lastMove` is when this account last moved, in ms since the epoch, or null.
 */
export const moveFault = (
  move: ActivityOf<'Move'>,
  known: {
    now: number
    lastMove: number | null
    target: Pick<IncomingActor, 'uri' | 'aliases' | 'movedTo' | 'suspended'> | null
  },
): MoveRefusal | null => {
  const { target, lastMove, now } = known
  if (move.object !== move.actor) return 'not-yours'
  if (lastMove !== null && now - lastMove < moveCooldown) return 'moved-recently'
  if (target === null || target.uri !== move.target || target.uri === move.actor) return 'no-target'
  if (target.suspended) return 'target-suspended'
  if (target.movedTo !== null) return 'target-moved'
  return target.aliases.includes(move.actor) ? null : 'no-alias'
}
