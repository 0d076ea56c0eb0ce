/** Compares the items of a remote collection with the stored ones. */
import type { RemoteCollection, RemoteCollectionItem } from '@murmuration/contracts/accounts'
import type { ItemState } from './rules.js'

/** Maximum number of collections of one remote owner that are stored. */
export const MAX_REMOTE_COLLECTIONS = 50

/** Age in milliseconds (a day) after which a remote collection is fetched again when a user opens it. */
export const REFETCH_AFTER_MS = 86_400_000
/**
 * Delay in milliseconds (10 minutes) before a remote collection is fetched again after its owner announced changes
 * without their content. The delay bounds how often such announcements cause a fetch.
 */
export const REFETCH_AFTER_CHANGE_MS = 600_000

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
  /** Items of remote accounts that are not stored here. Each account is to be resolved first. */
  unresolved: RemoteCollectionItem[]
  /** Addresses of items that were sent without content and have to be fetched. */
  named: string[]
  /** Ids of pending items that were received again: their authorizations have to be fetched. */
  waiting: string[]
}

/** Items of a collection as its owner sent them. `named`: addresses of items without content. */
export type GivenItems = Pick<RemoteCollection, 'items' | 'named'>

const sameOrigin = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin

/**
 * Whether an item names an authorization on the server of its account. Without such an authorization, the owner may not
 * add the account to the collection.
 */
const isIncluded = (item: RemoteCollectionItem): boolean =>
  item.authorization !== null && sameOrigin(item.authorization, item.account)

/** State of a received item of a remote account: as stored if its authorization address is the same, else pending. */
const stateOf = (item: RemoteCollectionItem, before: StoredItem | undefined): ItemState =>
  before && before.authorization_uri === item.authorization ? before.state : 'pending'

/**
 * Returns the changes that make the stored items equal to those of the owner. Local accounts are never added here,
 * because each of them must receive a request first. Local accounts are removed only if the owner listed them before.
 * @param given items with content, and addresses of items without
 * @param whole whether `given` is complete; if false, other stored items stay
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
      if (!isOurs(item.account) && isIncluded(item)) plan.unresolved.push(item)
      continue
    }
    const existing = before.get(account.id)
    if (account.domain === null) {
      if (!existing) continue
      named.add(account.id)
      if (existing.uri !== item.uri)
        plan.change.push({
          id: existing.id,
          uri: item.uri,
          state: existing.state,
          authorization: existing.authorization_uri,
        })
      continue
    }
    if (account.suspended || !isIncluded(item)) continue
    named.add(account.id)
    const next = { uri: item.uri, state: stateOf(item, existing), authorization: item.authorization }
    if (!existing) plan.add.push({ account: account.id, ...next })
    else if (
      existing.uri !== next.uri ||
      existing.state !== next.state ||
      existing.authorization_uri !== next.authorization
    )
      plan.change.push({ id: existing.id, ...next })
    else if (existing.state === 'pending') plan.waiting.push(existing.id)
  }
  const byUri = new Map(stored.map((item) => [item.uri, item]))
  for (const uri of new Set(given.named)) {
    const existing = byUri.get(uri)
    if (!existing) plan.named.push(uri)
    else if (existing.state === 'pending' && !existing.local) plan.waiting.push(existing.id)
    if (existing) named.add(existing.account_id)
  }
  // A local account that left a remote collection stays marked as left, so that it is not invited again.
  const isOver = (item: StoredItem) => (item.local ? item.state === 'accepted' && item.uri !== null : true)
  if (whole) plan.remove = stored.filter((item) => !named.has(item.account_id) && isOver(item)).map((item) => item.id)
  return plan
}
