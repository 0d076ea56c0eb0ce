/** Rules of quotes: permission to quote by the author's policy, and the state that a viewer receives. */
import type { ApprovalGroup, QuoteApproval, QuoteState, Visibility } from '@murmuration/contracts/entities'
import { fail } from '@murmuration/contracts/kit'

const DAY_MS = 86_400_000

/** Maximum number of nested quoted statuses that are fetched for one status. */
export const QUOTE_DEPTH = 2

/** Milliseconds after which the proof of a quote or reply approval is read again when the status is opened. */
export const PROVED_FOR_MS = 3 * DAY_MS

export const QUOTE_POLICIES = ['nobody', 'followers', 'public'] as const
export type QuotePolicy = (typeof QUOTE_POLICIES)[number]

/** Stored number of a local policy: the same bits as in `GROUPS`. Policies of a newer release count as `nobody`. */
export const quoteLevelOf = (policy: QuotePolicy): number => Math.max(0, QUOTE_POLICIES.indexOf(policy))

/** Quote policy of a local status, by its stored number. Groups that only remote policies have count as nobody. */
export const quotePolicyOf = (level: number): QuotePolicy => QUOTE_POLICIES[level & 3] ?? 'nobody'

/** The policy that applies: private and direct statuses always have `nobody`. */
export const policyFor = (visibility: Visibility, wanted: QuotePolicy): QuotePolicy =>
  visibility === 'public' || visibility === 'unlisted' ? wanted : 'nobody'

/** Bits of the groups that may quote without asking. Groups that need manual approval are four bits higher. */
const GROUPS: readonly (readonly [ApprovalGroup, number])[] = [
  ['public', 2],
  ['followers', 1],
  ['following', 4],
  ['unsupported_policy', 8],
]

/** Number that is stored for the quote policy of a remote status. */
export const policyBits = (policy: {
  automatic: readonly ApprovalGroup[]
  manual: readonly ApprovalGroup[]
}): number => {
  const bits = (groups: readonly ApprovalGroup[]): number =>
    GROUPS.reduce((sum, [group, bit]) => (groups.includes(group) ? sum | bit : sum), 0)
  return bits(policy.automatic) | (bits(policy.manual) << 4)
}

/**
 * Groups of accounts that may quote under a policy that is stored as the number `level`: `automatic` without approval,
 * `manual` after approval.
 */
export const policyGroups = (level: number): { automatic: ApprovalGroup[]; manual: ApprovalGroup[] } => {
  const groups = (bits: number): ApprovalGroup[] => GROUPS.flatMap(([group, bit]) => (bits & bit ? [group] : []))
  return { automatic: groups(level), manual: groups(level >> 4) }
}

export interface Quotable {
  authorId: string
  visibility: Visibility
  isReblog: boolean
  quotePolicy: number
}

/** Follow relations between a viewer and the author. */
export interface FollowRelations {
  following: boolean
  followed_by: boolean
}

const isAmong = (groups: readonly ApprovalGroup[], near: FollowRelations | undefined): boolean =>
  groups.includes('public') ||
  (groups.includes('followers') && near?.following === true) ||
  (groups.includes('following') && near?.followed_by === true)

/** Whether a policy applies to some accounts only, by follow relations. */
export const dependsOnFollows = (level: number): boolean => {
  const { automatic, manual } = policyGroups(level)
  const near: ApprovalGroup[] = ['followers', 'following']
  return !automatic.includes('public') && [...automatic, ...manual].some((group) => near.includes(group))
}

const currentUser = (
  viewerId: string | null,
  status: Quotable,
  groups: ReturnType<typeof policyGroups>,
  near: FollowRelations | undefined,
): QuoteApproval['current_user'] => {
  if (viewerId === null || status.visibility === 'direct' || status.isReblog) return 'denied'
  if (viewerId === status.authorId) return 'automatic'
  if (status.visibility === 'private') return 'denied'
  if (isAmong(groups.automatic, near)) return 'automatic'
  if (isAmong(groups.manual, near)) return 'manual'
  return [...groups.automatic, ...groups.manual].includes('unsupported_policy') ? 'unknown' : 'denied'
}

/** Quote approval for a viewer; null means anonymous. Without `near`, only groups that include everyone apply. */
export const quoteApproval = (
  viewerId: string | null,
  status: Quotable,
  near: FollowRelations | undefined,
): QuoteApproval => {
  const groups = policyGroups(status.quotePolicy)
  return { ...groups, current_user: currentUser(viewerId, status, groups, near) }
}

export const STORED_STATES = ['pending', 'accepted', 'rejected', 'revoked'] as const
export type StoredState = (typeof STORED_STATES)[number]

/** State of a quote after the quoted author refused it, or after its approval ended. */
export const endedState = (before: StoredState): StoredState =>
  before === 'accepted' || before === 'revoked' ? 'revoked' : 'rejected'

/**
 * True for quotes whose approval must be checked: pending ones, and revoked ones whose latest version names an approval.
 */
export const isUnproved = ({ state, stamp_uri }: { state: StoredState; stamp_uri: string | null }): boolean =>
  state === 'pending' || (state === 'revoked' && stamp_uri !== null)

/** Whether the JSON of a quote in this state includes the quoted status. */
export const isShownState = (state: QuoteState): boolean =>
  state === 'accepted' || state === 'blocked_account' || state === 'blocked_domain' || state === 'muted_account'

/**
 * The state of a quote as a viewer receives it.
 * @param quoted null if the quoted status is deleted, otherwise whether the viewer may see it
 */
export const shownState = (
  stored: StoredState,
  quoted: { visible: boolean; own: boolean } | null,
  relationship: { blocking: boolean; domain_blocking: boolean; muting: boolean } | undefined,
): QuoteState => {
  if (stored !== 'accepted') return stored
  if (quoted === null) return 'deleted'
  if (!quoted.visible) return 'unauthorized'
  if (quoted.own || !relationship) return 'accepted'
  if (relationship.blocking) return 'blocked_account'
  if (relationship.domain_blocking) return 'blocked_domain'
  return relationship.muting ? 'muted_account' : 'accepted'
}

export const quotedMissing = () => fail('not_found', 'The post you are trying to quote does not appear to exist.')

/** Whether clients get a quote. A legacy quote that is not accepted is left out for all viewers. */
export const isSent = ({ legacy, state }: { legacy: boolean; state: string }): boolean =>
  !legacy || state === 'accepted'
