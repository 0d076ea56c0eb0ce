/** Decides whether a Move is valid: the new account must list the old one in `alsoKnownAs`. */

import type { ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import type { IncomingActor } from '@murmuration/activitypub/vocabulary/actor'

/** Shortest time between two Moves of an account, in ms. */
export const moveCooldown = 7 * 24 * 3_600_000

export type MoveRefusal =
  | 'not-yours'
  | 'moved-recently'
  | 'no-target'
  | 'target-suspended'
  | 'target-moved'
  | 'no-alias'

/**
 * The reason why a Move has no effect; null if local followers may be moved.
 *
 * `target`: the new actor, just fetched or from the local store. `lastMove`: time of the last Move in ms since the epoch, or null.
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
