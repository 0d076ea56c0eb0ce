/** Rules of collections: their texts, which accounts may be added, and which items a viewer sees. */
import type { FeaturePolicy } from '@murmuration/contracts/accounts'
import { type Failure, fail, isId } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { isValidTag, normaliseTag, supportedLanguage } from '@murmuration/text'
import { type Problem, problem, refusalOf, tooLong } from '../core/problem.rules.js'

const most = limits.accounts

/** Clients of collections read the whole refusal under `error` (errors.md 1). */
export const refusalOfCollection = (problems: readonly Problem[]): Failure => {
  const plain = refusalOf(problems)
  return fail('unprocessable', plain.message, {
    body: { error: { error: plain.message, details: plain.extras.body?.details } },
  })
}

export interface CollectionText {
  name: string
  description: string
  language: string | null
  /** Normalised hashtag. */
  tag: string | null
}

export interface TypedText {
  name?: string | undefined
  description?: string | undefined
  language?: string | null | undefined
  tag_name?: string | null | undefined
}

const nameProblems = (name: string): Problem[] => {
  if (name === '') return [problem('name', 'ERR_BLANK', "can't be blank")]
  return [...name].length > most.collectionNameCharacters ? [tooLong('name', most.collectionNameCharacters)] : []
}

/** Applies typed texts to the stored ones. Throws all problems. */
export const collectionText = (typed: TypedText, before: CollectionText | null): CollectionText => {
  const name = typed.name === undefined ? (before?.name ?? '') : typed.name.trim()
  const description = typed.description === undefined ? (before?.description ?? '') : typed.description.trim()
  const tag = typed.tag_name?.trim().replace(/^[#＃]/, '')
  const language = typed.language ? supportedLanguage(typed.language) : null
  const problems = [
    ...nameProblems(name),
    ...([...description].length > most.collectionDescriptionCharacters
      ? [tooLong('description', most.collectionDescriptionCharacters)]
      : []),
    ...(typed.language && language === null
      ? [problem('language', 'ERR_INCLUSION', 'is not included in the list')]
      : []),
    ...(tag && !isValidTag(tag) ? [problem('tag', 'ERR_INVALID', 'may not be used')] : []),
  ]
  if (problems.length) throw refusalOfCollection(problems)
  return {
    name,
    description,
    language: typed.language === undefined ? (before?.language ?? null) : language,
    tag: typed.tag_name === undefined ? (before?.tag ?? null) : tag ? normaliseTag(tag) : null,
  }
}

const items = (text: string): Failure =>
  refusalOfCollection([problem('collection_items', 'ERR_INVALID', text, 'Collection items')])

export const tooManyItems = (): Failure => items(`are too many, no more than ${most.collectionItems} are allowed`)

export const alreadyIn = (): Failure => refusalOfCollection([problem('account', 'ERR_TAKEN', 'has already been taken')])

export const tooManyCollections = (limit: number): Failure =>
  refusalOfCollection([
    problem('base', 'ERR_INVALID', `You have reached the maximum number of collections (${limit})`, ''),
  ])

export interface Featurable {
  id: string
  /** Null here. */
  domain: string | null
  discoverable: boolean | null
  locked: boolean
  suspended: boolean
  /** Of somebody elsewhere; null when they do not say. */
  feature_policy: FeaturePolicy | null
}

type KeeperStanding = { blocking: boolean; blocked_by: boolean; following: boolean; followed_by: boolean }

/**
 * Whether a remote account may be requested. Without an interaction policy it may not be (FEP-7aa9). If its policy cannot be
 * evaluated here, its own server decides.
 */
const mayBeAsked = (policy: FeaturePolicy | null, standing: KeeperStanding): boolean => {
  const groups = new Set(policy ? [...policy.automatic, ...policy.manual] : [])
  if (groups.has('public') || groups.has('unsupported_policy')) return true
  return (groups.has('followers') && standing.following) || (groups.has('following') && standing.followed_by)
}

/**
 * Whether an account may be added to a collection of `owner`, or requested. A remote account: if its policy permits the owner.
 * A local account: if it is discoverable, and open or a follower of the owner. No block in either direction. The owner always may.
 */
export const mayBeFeatured = (account: Featurable, owner: string, standing: KeeperStanding | undefined): boolean => {
  if (account.suspended) return false
  if (account.id === owner) return true
  if (!standing || standing.blocking || standing.blocked_by) return false
  if (account.domain !== null) return mayBeAsked(account.feature_policy, standing)
  return account.discoverable === true && (!account.locked || standing.followed_by)
}

/**
 * Whether somebody elsewhere may put an account of ours into a collection, as its actor document says (`canFeature`);
 * `standing` is the state between the account and the owner. Domain blocks count, too.
 */
export const mayBeFeaturedBy = (
  account: Pick<Featurable, 'discoverable' | 'locked' | 'suspended'>,
  standing: { blocking: boolean; blocked_by: boolean; domain_blocking: boolean; followed_by: boolean } | undefined,
): boolean => {
  if (account.suspended || !account.discoverable || !standing) return false
  if (standing.blocking || standing.blocked_by || standing.domain_blocking) return false
  return !account.locked || standing.followed_by
}

export type ItemState = 'pending' | 'accepted' | 'rejected' | 'revoked'

/** Whether an item still stands for an account that is, or may come to be, in the collection. */
export const isOpen = (state: ItemState): boolean => state === 'pending' || state === 'accepted'

/** The owner sees all items, others those that agreed, and each account its own. */
export const showsItem = (item: { state: ItemState; account_id: string }, owner: string, viewer: string | null) =>
  viewer === owner || item.state === 'accepted' || (item.account_id === viewer && item.state === 'pending')

/** Addresses of a local collection, from the actor ids of its owner and its accounts. */
export const collectionAddress = (owner: string, id: string): string => `${owner}/collections/${id}`
/** The number in what looks like the address of a collection that is kept here; another may have it. */
export const numberInAddress = (uri: string): string | null => {
  const id = /\/collections\/(\d{1,19})$/.exec(uri)?.[1]
  return id !== undefined && isId(id) ? id : null
}
export const authorizationAddress = (account: string, item: string): string =>
  `${account}/feature_authorizations/${item}`

/**
 * The state of an item after a response of a remote account; null if nothing changes. A late response does not bring back an
 * account that left, and an account that refused is not asked again.
 */
export const answered = (state: ItemState, agrees: boolean): ItemState | null => {
  if (!isOpen(state)) return null
  return agrees ? 'accepted' : 'rejected'
}
