/** Input of the rules in `state.rules.ts`: stored rows, a received activity (`Delivery`), and conditions that compare the two. */

/** Microseconds since 1970, because PostgreSQL stores times with this precision. */
export type Micros = number

export const microsOf = (date: Date): Micros => date.getTime() * 1_000

/** A time as ISO 8601 text with six fractional digits, for PostgreSQL. */
export const isoOf = (at: Micros | null): string | null =>
  at === null
    ? null
    : new Date(Math.floor(at / 1_000)).toISOString().replace('Z', `${String(at % 1_000).padStart(3, '0')}Z`)

export type OutcomeKind = 'done' | 'ignored' | 'refused'

/** A row of `inbox_activities`. `outcome` is null as long as the activity waits for its job. */
export interface StoredActivity {
  readonly id: string
  readonly type: string
  readonly actor: string
  readonly ownerId: string | null
  /** SHA-256 of the body, in hex; null in rows of old releases. */
  readonly digest: string | null
  readonly outcome: OutcomeKind | null
  /** Time of the actor's signature; null if another server forwarded the activity. */
  readonly signedAt: Micros | null
  readonly receivedAt: Micros
  readonly closedAt: Micros | null
  /** True if the actor sent the activity again after it was processed, or while it waited. */
  readonly again: boolean
}

/** A row of `undone_activities`: the Undo of an activity by its actor. */
export interface StoredUndo {
  readonly signedAt: Micros | null
  readonly at: Micros
  /** True if the Undo itself waits for its job. */
  readonly waits: boolean
  /** True if the undone activity had been processed before the Undo was received. */
  readonly late: boolean
}

/** A row of last-writer timestamps: the last-writer timestamp of an object, and the activity that holds its claim. */
export interface StoredObject {
  readonly signedAt: Micros
  readonly ended: boolean
  readonly holder: string | null
  readonly heldUntil: Micros | null
}

/** An activity that another server has just posted to an inbox of this server. */
export interface Delivery {
  readonly type: string
  readonly actor: string
  readonly ownerId: string | null
  readonly digest: string
  readonly signedAt: Micros | null
  readonly hasId: boolean
}

const HOUR = 3_600_000_000
/**
 * Time for which an Undo counts that was received before its Follow or Block. The time is bounded because some servers
 * reuse the id of a Follow.
 */
const EARLY_UNDO = 6 * HOUR
/** Time after the outcome within which a redelivery of the same bytes counts as late first delivery. */
const LATE = 6 * HOUR

/** Types that servers send again under the same id. Handlers of these types check the current state, so they may run twice. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'Follow',
  'Like',
  'EmojiReact',
  'Announce',
  'Block',
  'Undo',
  'Accept',
  'Reject',
  'Add',
  'Remove',
])
const INTERACTIONS: ReadonlySet<string> = new Set(['Like', 'EmojiReact', 'Announce'])

export interface Redelivery {
  readonly stored: StoredActivity | null
  readonly undo: StoredUndo | null
  readonly delivery: Delivery
  readonly now: Micros
}
export type Known = Redelivery & { stored: StoredActivity }

export const isNewer = ({ stored, delivery: { signedAt } }: Known): boolean =>
  signedAt !== null && signedAt >= (stored.signedAt ?? stored.receivedAt)
export const hasOtherBytes = ({ stored, delivery }: Known): boolean =>
  stored.digest !== null && stored.digest !== delivery.digest
export const hasOtherInbox = ({ stored, delivery }: Known): boolean => stored.ownerId !== delivery.ownerId
export const isOfOtherType = ({ stored, delivery }: Known): boolean => stored.type !== delivery.type
export const hasSameActor = ({ stored, delivery }: Known): boolean => stored.actor === delivery.actor
const isSignedLater = ({ stored, delivery: { signedAt } }: Known): boolean =>
  stored.signedAt === null || (signedAt !== null && signedAt > stored.signedAt)
/**
 * True if a delivery is a new activity under the key of a stored activity: it has other bytes, or the same bytes and
 * inbox and a later signature.
 */
export const isAnother = (it: Known): boolean => hasOtherBytes(it) || (!hasOtherInbox(it) && isSignedLater(it))
/**
 * True if the Undo was signed between the stored activity and this delivery. An Undo signed in the same second as the stored
 * activity counts if it was received no earlier.
 */
export const isUndoneBetween = ({ stored, undo, delivery }: Known): boolean => {
  if (!undo || undo.signedAt === null || stored.signedAt === null || delivery.signedAt === null) return false
  const isAfter = undo.signedAt === stored.signedAt ? undo.at >= stored.receivedAt : undo.signedAt > stored.signedAt
  return isAfter && undo.signedAt <= delivery.signedAt
}
export const isUndoneLater = ({ undo, delivery: { signedAt } }: Known): boolean =>
  undo !== null && signedAt !== null && (undo.signedAt ?? undo.at) > signedAt
export const isRepeatable = ({ delivery }: Known): boolean => REPEATABLE.has(delivery.type)
export const isFromActorAgain = (it: Known): boolean => hasSameActor(it) && isNewer(it)
export const isLongClosed = ({ stored, now }: Known): boolean =>
  stored.closedAt !== null && stored.closedAt < now - LATE

export interface UndoDelivery {
  /** True if the Undo activity is new, or replaced the stored activity with its key. */
  readonly isStored: boolean
  readonly signedAt: Micros | null
  readonly actor: string
  readonly target: StoredActivity | null
  readonly undo: StoredUndo | null
}

export interface Undoable {
  readonly stored: StoredActivity | null
  readonly undo: StoredUndo | null
  readonly now: Micros
}

/** True if the stored activity was sent again and signed after its Undo; or in the same second, and received no earlier. */
export const isRedelivered = ({ stored, undo }: Undoable): boolean => {
  if (!stored?.again || stored.signedAt === null || undo === null || undo.signedAt === null) return false
  const { signedAt, at } = undo
  return stored.signedAt > signedAt || (stored.receivedAt >= at && stored.signedAt >= signedAt)
}
export const isUndoNewer = ({ stored, undo }: Undoable): boolean =>
  stored !== null &&
  stored.signedAt !== null &&
  undo !== null &&
  undo.signedAt !== null &&
  undo.signedAt > stored.signedAt
export const isEarlyUndo = ({ stored, undo, now }: Undoable): boolean =>
  undo !== null && !undo.late && (undo.at > now - EARLY_UNDO || (stored !== null && INTERACTIONS.has(stored.type)))

export interface Claim {
  readonly stored: StoredObject | null
  readonly holder: string
  readonly signedAt: Micros
  readonly ends: boolean
  readonly now: Micros
}
export const isHeldByOther = ({ stored, holder, now }: Claim): boolean =>
  stored !== null && stored.holder !== null && stored.holder !== holder && (stored.heldUntil ?? now) >= now

export interface Replaced {
  /** The activity that has an effect now, such as a Follow of the same account under another id. */
  readonly existing: StoredActivity | null
  /** The activity that the processed Undo names. */
  readonly undone: StoredActivity | null
  readonly signedAt: Micros
}

export interface Failed {
  readonly isRetryable: boolean
  /** True for a `Failure` of the contracts; false for an unexpected error. */
  readonly isNamed: boolean
  readonly isLast: boolean
  readonly delaySeconds: number
}
/**
 * Longest delay of a retry on the bus. Activities with a longer delay wait in `held_activities`, because the bus limits
 * unacknowledged messages.
 */
export const MAX_BUS_RETRY_SECONDS = 5
