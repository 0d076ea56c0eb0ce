/** Compares the items of a remote collection with the stored ones. */
import type { RemoteCollection, RemoteCollectionItem } from '@murmuration/contracts/accounts'
import type { ItemState } from './rules.js'

/** The most collections of one remote owner that are stored. */
export const MOST_REMOTE_COLLECTIONS = 50

/** A collection of another server that was read so long ago is read again when somebody opens it. */
export const READ_FOR_MS = 86_400_000
/** The same of one of which more was said so long ago than was heard: as long as it is not asked for more often. */
export const UNHEARD_FOR_MS = 600_000

export interface KnownAccount {
  id: string
  uri: string
  domain: string | null
  suspended: boolean
}

export interface StoredItem {
  id: string
  account_id: string
  local: boolean
  state: ItemState
  uri: string | null
  authorization_uri: string | null
}

export interface NewItem {
  account: string
  uri: string
  state: ItemState
  authorization: string | null
}

export interface Plan {
  add: NewItem[]
  change: (Omit<NewItem, 'account'> & { id: string })[]
  remove: string[]
  /** Those nobody here ever heard of. */
  unresolved: RemoteCollectionItem[]
  /** Addresses of items that have to be read. */
  named: string[]
  /** Ids of items that are told of again before anybody could read whether who is in them agreed. */
  waiting: string[]
}

/** Items of a collection as its owner sent them. */
export type GivenItems = Pick<RemoteCollection, 'items' | 'named'>

const sameOrigin = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin

/** The owner cannot add an account alone: only a proof of the account counts, from its own server. */
const mayStand = (item: RemoteCollectionItem): boolean =>
  item.authorization !== null && sameOrigin(item.authorization, item.account)

/** How an item of somebody elsewhere stands who was told of now: as before, unless something else is said to prove it. */
const stateOf = (item: RemoteCollectionItem, before: StoredItem | undefined): ItemState =>
  before && before.authorization_uri === item.authorization ? before.state : 'pending'

/**
 * Changes that make the stored items equal to those of the owner. Local accounts are in a remote collection only after a
 * request: they are never added here, and only removed if the owner named them before.
 *
 * @param given items, and addresses of those that came without more
 * @param whole false when the others that are stored stay as they are
 */
export const planItems = (
  given: GivenItems,
  stored: readonly StoredItem[],
  known: ReadonlyMap<string, KnownAccount>,
  { whole, isOurs }: { whole: boolean; isOurs: (uri: string) => boolean },
): Plan => {
  const plan: Plan = { add: [], change: [], remove: [], unresolved: [], named: [], waiting: [] }
  const before = new Map(stored.map((item) => [item.account_id, item]))
  const named = new Set<string>()
  for (const item of [...new Map(given.items.map((one) => [one.account, one])).values()]) {
    const account = known.get(item.account)
    if (account === undefined) {
      if (!isOurs(item.account) && mayStand(item)) plan.unresolved.push(item)
      continue
    }
    const stands = before.get(account.id)
    if (account.domain === null) {
      if (!stands) continue
      named.add(account.id)
      if (stands.uri !== item.uri)
        plan.change.push({ id: stands.id, uri: item.uri, state: stands.state, authorization: stands.authorization_uri })
      continue
    }
    if (account.suspended || !mayStand(item)) continue
    named.add(account.id)
    const next = { uri: item.uri, state: stateOf(item, stands), authorization: item.authorization }
    if (!stands) plan.add.push({ account: account.id, ...next })
    else if (stands.uri !== next.uri || stands.state !== next.state || stands.authorization_uri !== next.authorization)
      plan.change.push({ id: stands.id, ...next })
    else if (stands.state === 'pending') plan.waiting.push(stands.id)
  }
  const held = new Map(stored.map((item) => [item.uri, item]))
  for (const uri of new Set(given.named)) {
    const stands = held.get(uri)
    if (!stands) plan.named.push(uri)
    else if (stands.state === 'pending' && !stands.local) plan.waiting.push(stands.id)
    if (stands) named.add(stands.account_id)
  }
  // A local account that left stays marked as left, so that it is not invited again.
  const isOver = (item: StoredItem) => (item.local ? item.state === 'accepted' && item.uri !== null : true)
  if (whole) plan.remove = stored.filter((item) => !named.has(item.account_id) && isOver(item)).map((item) => item.id)
  return plan
}
