/** What a collection of another server makes of the items that are stored of it. */
import type { RemoteCollectionItem } from '@murmuration/contracts/accounts'
import type { ItemState } from './collection.js'

/** The most collections of one keeper elsewhere that are kept here. */
export const MOST_REMOTE_COLLECTIONS = 50

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
  strangers: RemoteCollectionItem[]
}

const sameOrigin = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin

/** The word of a keeper is enough for who is on the same server; of others only their own is, from where they are. */
const isVouched = (item: RemoteCollectionItem, owner: string): boolean => sameOrigin(item.account, owner)
export const mayStand = (item: RemoteCollectionItem, owner: string): boolean =>
  isVouched(item, owner) || (item.authorization !== null && sameOrigin(item.authorization, item.account))

/** How an item of somebody elsewhere stands who was told of now: as before, unless something else is said to prove it. */
const stateOf = (item: RemoteCollectionItem, owner: string, before: StoredItem | undefined): ItemState => {
  if (before && before.authorization_uri === item.authorization) return before.state
  return isVouched(item, owner) ? 'accepted' : 'pending'
}

/**
 * What is to be done so that the stored items are those that the keeper names. People here are in it only because they were
 * asked: they are never added, and taken out only when they were named before.
 *
 * @param whole false when the others that are stored stay as they are
 */
export const planItems = (
  given: readonly RemoteCollectionItem[],
  stored: readonly StoredItem[],
  known: ReadonlyMap<string, KnownAccount>,
  { owner, whole, isOurs }: { owner: string; whole: boolean; isOurs: (uri: string) => boolean },
): Plan => {
  const plan: Plan = { add: [], change: [], remove: [], strangers: [] }
  const before = new Map(stored.map((item) => [item.account_id, item]))
  const named = new Set<string>()
  for (const item of [...new Map(given.map((one) => [one.account, one])).values()]) {
    const account = known.get(item.account)
    if (account === undefined) {
      if (!isOurs(item.account) && mayStand(item, owner)) plan.strangers.push(item)
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
    if (account.suspended || !mayStand(item, owner)) continue
    named.add(account.id)
    const next = { uri: item.uri, state: stateOf(item, owner, stands), authorization: item.authorization }
    if (!stands) plan.add.push({ account: account.id, ...next })
    else if (stands.uri !== next.uri || stands.state !== next.state || stands.authorization_uri !== next.authorization)
      plan.change.push({ id: stands.id, ...next })
  }
  // Who is here and left stays as one who left, so that they are not asked again.
  const isOver = (item: StoredItem) => (item.local ? item.state === 'accepted' && item.uri !== null : true)
  if (whole) plan.remove = stored.filter((item) => !named.has(item.account_id) && isOver(item)).map((item) => item.id)
  return plan
}
