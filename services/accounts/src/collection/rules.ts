/** Rules of collections: their texts, which accounts may be added, and which items a viewer sees. */
import type { FeaturePolicy } from '@murmuration/contracts/accounts'
import { type ErrorText, errorText, type Failure, fail, isId } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { isValidTag, normaliseTag, supportedLanguage } from '@murmuration/text'
import { type Problem, problem, refusalOf, tooLong } from '../core/problem.rules.js'

const max = limits.accounts

/** Validation error of a collection. Clients read the whole error object under `error`. */
export const refusalOfCollection = (problems: readonly Problem[]): Failure => {
  const plain = refusalOf(problems)
  return fail('unprocessable', plain.text, {
    body: { error: { error: plain.text, details: plain.extras.body?.details } },
  })
}

export interface CollectionText {
  name: string
  description: string
  language: string | null
  /** Normalised hashtag of the collection; null if it has none. */
  tag: string | null
}

const unusable = (): Problem => problem('tag', 'ERR_INVALID', 'may not be used')

/** Validation error of a collection with a hashtag that staff made unusable. */
export const unusableTag = (): Failure => refusalOfCollection([unusable()])

export interface TypedText {
  name?: string | undefined
  description?: string | undefined
  language?: string | null | undefined
  tag_name?: string | null | undefined
}

const nameProblems = (name: string): Problem[] => {
  if (name === '') return [problem('name', 'ERR_BLANK', "can't be blank")]
  return [...name].length > max.collectionNameCharacters ? [tooLong('name', max.collectionNameCharacters)] : []
}

/** Returns the texts of a collection after an edit. Throws one validation error that lists all problems. */
export const collectionText = (typed: TypedText, before: CollectionText | null): CollectionText => {
  const name = typed.name === undefined ? (before?.name ?? '') : typed.name.trim()
  const description = typed.description === undefined ? (before?.description ?? '') : typed.description.trim()
  const tag = typed.tag_name?.trim().replace(/^[#＃]/, '')
  const language = typed.language ? supportedLanguage(typed.language) : null
  const problems = [
    ...nameProblems(name),
    ...([...description].length > max.collectionDescriptionCharacters
      ? [tooLong('description', max.collectionDescriptionCharacters)]
      : []),
    ...(typed.language && language === null
      ? [problem('language', 'ERR_INCLUSION', 'is not included in the list')]
      : []),
    ...(tag && !isValidTag(tag) ? [unusable()] : []),
  ]
  if (problems.length) throw refusalOfCollection(problems)
  return {
    name,
    description,
    language: typed.language === undefined ? (before?.language ?? null) : language,
    tag: typed.tag_name === undefined ? (before?.tag ?? null) : tag ? normaliseTag(tag) : null,
  }
}

const items = (text: ErrorText): Failure => refusalOfCollection([problem('collection_items', 'ERR_INVALID', text)])

export const tooManyItems = (): Failure =>
  items(errorText('are too many, no more than {most} are allowed', { most: max.collectionItems }))

export const alreadyIn = (): Failure => refusalOfCollection([problem('account', 'ERR_TAKEN', 'has already been taken')])

export const tooManyCollections = (limit: number): Failure =>
  refusalOfCollection([
    problem(
      'base',
      'ERR_INVALID',
      errorText('You have reached the maximum number of collections ({limit})', { limit }),
      null,
    ),
  ])

export interface Featurable {
  id: string
  /** Domain of a remote account; null for a local account. */
  domain: string | null
  discoverable: boolean | null
  locked: boolean
  suspended: boolean
  /** Interaction policy of a remote account; null if its actor document has none. */
  feature_policy: FeaturePolicy | null
}

type OwnerRelationship = { blocking: boolean; blocked_by: boolean; following: boolean; followed_by: boolean }

/**
 * Whether a remote account may be asked to join a collection. An account without an interaction policy may not be featured (FEP-7aa9).
 * If this server cannot evaluate the policy of the account, the account's server decides.
 */
const mayBeAsked = (policy: FeaturePolicy | null, relationship: OwnerRelationship): boolean => {
  const groups = new Set(policy ? [...policy.automatic, ...policy.manual] : [])
  if (groups.has('public') || groups.has('unsupported_policy')) return true
  return (groups.has('followers') && relationship.following) || (groups.has('following') && relationship.followed_by)
}

/**
 * Whether an account may be added to a collection of `owner`, or asked to join it. The first row that applies decides.
 *
 * | Account | May be featured |
 * |---|---|
 * | suspended | never |
 * | the owner | always |
 * | blocks the owner, or is blocked by the owner | never |
 * | remote | if its interaction policy permits the owner (FEP-7aa9) |
 * | local | if it is discoverable, and either unlocked or a follower of the owner |
 */
export const mayBeFeatured = (
  account: Featurable,
  owner: string,
  relationship: OwnerRelationship | undefined,
): boolean => {
  if (account.suspended) return false
  if (account.id === owner) return true
  if (!relationship || relationship.blocking || relationship.blocked_by) return false
  if (account.domain !== null) return mayBeAsked(account.feature_policy, relationship)
  return account.discoverable === true && (!account.locked || relationship.followed_by)
}

/**
 * Whether a remote account may add a local account to its collection, by the rules in the actor document of the local
 * account (`canFeature`). `relationship`: the relationship of the local account to the owner. Domain blocks count, too.
 */
export const mayBeFeaturedBy = (
  account: Pick<Featurable, 'discoverable' | 'locked' | 'suspended'>,
  relationship: { blocking: boolean; blocked_by: boolean; domain_blocking: boolean; followed_by: boolean } | undefined,
): boolean => {
  if (account.suspended || !account.discoverable || !relationship) return false
  if (relationship.blocking || relationship.blocked_by || relationship.domain_blocking) return false
  return !account.locked || relationship.followed_by
}

export type ItemState = 'pending' | 'accepted' | 'rejected' | 'revoked'

/** Whether a collection item is pending or accepted. */
export const isOpen = (state: ItemState): boolean => state === 'pending' || state === 'accepted'

/**
 * Whether the viewer sees an item. The owner sees all items, everyone sees accepted items, and an account sees its own
 * pending item.
 */
export const showsItem = (item: { state: ItemState; account_id: string }, owner: string, viewer: string | null) =>
  viewer === owner || item.state === 'accepted' || (item.account_id === viewer && item.state === 'pending')

/** Address of a local collection. `owner`: actor id of the owner. */
export const collectionAddress = (owner: string, id: string): string => `${owner}/collections/${id}`
/**
 * Returns the id in an address that has the form of a local collection, else null. A remote collection may have the
 * same form.
 */
export const numberInAddress = (uri: string): string | null => {
  const id = /\/collections\/(\d{1,19})$/.exec(uri)?.[1]
  return id !== undefined && isId(id) ? id : null
}
export const authorizationAddress = (account: string, item: string): string =>
  `${account}/feature_authorizations/${item}`

/**
 * Returns the state of an item after a response of a remote account; null if the state stays the same. A late consent
 * does not add an account again that left. An account that refused gets no second request.
 */
export const stateAfterResponse = (state: ItemState, agrees: boolean): ItemState | null => {
  if (!isOpen(state)) return null
  return agrees ? 'accepted' : 'rejected'
}
