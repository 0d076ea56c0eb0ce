/** What a collection may say of itself, who may be put into one, and what it shows to whom. */
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

/** What was typed on top of what there was; throws what is wrong with it. */
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
 * Whether somebody elsewhere may be asked: never where they do not say who may (FEP-7aa9, interaction policies). Whom we
 * cannot judge their own server judges.
 */
const mayBeAsked = (policy: FeaturePolicy | null, standing: KeeperStanding): boolean => {
  const groups = new Set(policy ? [...policy.automatic, ...policy.manual] : [])
  if (groups.has('public') || groups.has('unsupported_policy')) return true
  return (groups.has('followers') && standing.following) || (groups.has('following') && standing.followed_by)
}

/**
 * Whether an account may be put into a collection of `keeper`, or asked: somebody elsewhere where their policy lets the keeper;
 * others when they want to be found, and are open or follow the keeper. Nobody blocks the other. Everybody may recommend themselves.
 */
export const mayBeFeatured = (account: Featurable, keeper: string, standing: KeeperStanding | undefined): boolean => {
  if (account.suspended) return false
  if (account.id === keeper) return true
  if (!standing || standing.blocking || standing.blocked_by) return false
  if (account.domain !== null) return mayBeAsked(account.feature_policy, standing)
  return account.discoverable === true && (!account.locked || standing.followed_by)
}

/**
 * Whether somebody elsewhere may put an account of ours into a collection, as its actor document says (`canFeature`);
 * `standing` is the keeper as the account stands to them. Blocks of servers hold, too.
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

/** The keeper sees everything, others who agreed, and everybody themselves. */
export const showsItem = (item: { state: ItemState; account_id: string }, owner: string, viewer: string | null) =>
  viewer === owner || item.state === 'accepted' || (item.account_id === viewer && item.state === 'pending')

/** Where the things of a collection that is kept here live, from the actor ids of its keeper and of who is in it. */
export const collectionAddress = (owner: string, id: string): string => `${owner}/collections/${id}`
/** The number in what looks like the address of a collection that is kept here; another may have it. */
export const numberInAddress = (uri: string): string | null => {
  const id = /\/collections\/(\d{1,19})$/.exec(uri)?.[1]
  return id !== undefined && isId(id) ? id : null
}
export const authorizationAddress = (account: string, item: string): string =>
  `${account}/feature_authorizations/${item}`

/**
 * What an answer of somebody elsewhere makes of an item; null when it changes nothing. Who left is not brought back by an
 * answer that comes late, and who refused is asked no more.
 */
export const answered = (state: ItemState, agrees: boolean): ItemState | null => {
  if (!isOpen(state)) return null
  return agrees ? 'accepted' : 'rejected'
}
