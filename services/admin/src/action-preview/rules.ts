/** Consequences of a moderation action in numbers, such as lost followers. */
import type { ActionPreview } from '@murmuration/contracts/admin'
import type { WarningAction } from '@murmuration/contracts/entities'

/** Days after which the data of a suspended local account are deleted. */
const GRACE_DAYS = 30
/** Moderation actions that cannot be undone from the audit log. */
const FINAL: ReadonlySet<WarningAction> = new Set(['none', 'delete_statuses'])

interface PlannedAction {
  type: WarningAction
  isLocal: boolean
  posts: number
  follows: { followers: number; following: number }
  /** Ids of the reported statuses that the action would change. */
  statusIds: readonly string[]
}

export const consequenceOf = ({ type, isLocal, posts, follows, statusIds }: PlannedAction) => {
  const isSuspension = type === 'suspend'
  return {
    followers_lost: isSuspension ? follows.followers : 0,
    follows_lost: isSuspension ? follows.following : 0,
    posts_hidden: isSuspension ? posts : type === 'delete_statuses' ? statusIds.length : 0,
    deleted_after_days: isSuspension && isLocal ? GRACE_DAYS : null,
    reversible: !FINAL.has(type),
  } satisfies Partial<ActionPreview>
}
