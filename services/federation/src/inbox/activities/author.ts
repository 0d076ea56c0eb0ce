/** Resolves addresses of actors in their activities: some servers name the page of an actor in `attributedTo` or in the copy of a Follow. */

import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import type { JsonObject, Ref } from '@murmuration/activitypub/vocabulary/json'
import { authorsIn } from '@murmuration/activitypub/vocabulary/read-note'
import { sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import { fetchObject } from '@murmuration/contracts/federation'
import type { Context } from '../../context.js'
import { retryLater } from './received.js'

/** Maximum number of addresses of authors that are fetched for one activity. */
const MAX_FETCHED = 4

/** Embedded objects of an activity that may have an author. */
const nodesIn = (activity: Activity): readonly JsonObject[] => {
  const refs: readonly Ref[] =
    activity.type === 'Create'
      ? activity.objects
      : activity.type === 'Update' || activity.type === 'Add'
        ? [activity.object]
        : activity.type === 'QuoteRequest'
          ? [activity.instrument]
          : []
  return refs.map(({ node }) => node).filter((node) => node !== null)
}

/**
 * The address in an activity that must be an address of its actor. It names the followed account (Accept, Reject), the
 * actor of the undone activity (Undo), or the account that moves (Move).
 */
const ownIn = (activity: Activity): Uri | null => {
  switch (activity.type) {
    case 'Accept':
    case 'Reject':
      return activity.inner?.type === 'Follow' ? (activity.inner.object?.id ?? null) : null
    case 'Undo':
      return activity.inner?.actor ?? null
    case 'Move':
      return activity.object
    default:
      return null
  }
}

/**
 * Addresses on the actor's origin that may name the actor: authors of objects that do not name it by its id, and the own
 * account in an activity about it.
 */
const doubtfulIn = (activity: Activity): readonly Uri[] => {
  const { actor } = activity
  const own = ownIn(activity)
  if (own !== null) return own === actor || !sameOrigin(own, actor) ? [] : [own]
  const authors = nodesIn(activity).flatMap((node) => {
    const named = authorsIn(node)
    return named.includes(actor) || !named.every((it) => sameOrigin(it, actor)) ? [] : named
  })
  return [...new Set(authors)]
}

/** The activity, in which these addresses of authors and of the own account are replaced by the id of the actor. */
const withActor = (activity: Activity, addresses: ReadonlySet<Uri>): Activity => {
  const { actor } = activity
  const meant = <T extends Ref>(ref: T): T => {
    const { node } = ref
    const authors = node === null ? [] : authorsIn(node)
    if (node === null || authors.includes(actor) || !authors.some((it) => addresses.has(it))) return ref
    return { ...ref, node: { ...node, attributedTo: authors.map((it) => (addresses.has(it) ? actor : it)) } }
  }
  const isOwn = (address: Uri | null | undefined): boolean => address != null && addresses.has(address)
  switch (activity.type) {
    case 'Accept':
    case 'Reject': {
      const { inner } = activity
      return inner?.object && isOwn(inner.object.id)
        ? { ...activity, inner: { ...inner, object: { ...inner.object, id: actor } } }
        : activity
    }
    case 'Undo':
      return activity.inner && isOwn(activity.inner.actor)
        ? { ...activity, inner: { ...activity.inner, actor } }
        : activity
    case 'Move':
      return isOwn(activity.object) ? { ...activity, object: actor } : activity
    case 'Create':
      return { ...activity, objects: activity.objects.map(meant) }
    case 'Update':
    case 'Add':
      return { ...activity, object: meant(activity.object) }
    case 'QuoteRequest':
      return { ...activity, instrument: meant(activity.instrument) }
    default:
      return activity
  }
}

/** Account ids by address, for those addresses that are the actor id or profile page of a stored account. */
const storedAt = async (
  ctx: Pick<Context, 'call'>,
  addresses: readonly Uri[],
  actor: { id: string },
): Promise<ReadonlyMap<string, string>> => {
  const { records, named = {} } = await ctx.call(accountRecords, { ids: [actor.id], uris: [...addresses], pages: true })
  const pages = records.filter((it) => it.id === actor.id).map((it) => [it.url, it.id] as const)
  return new Map([...pages, ...records.map((it) => [it.uri, it.id] as const), ...Object.entries(named)])
}

/** True if an address is the id or the page of this stored account. Fetches nothing. */
export const isStoredAddressOf = async (
  ctx: Pick<Context, 'call'>,
  address: Uri,
  account: { id: string },
): Promise<boolean> => (await storedAt(ctx, [address], account)).get(address) === account.id

/** True if the document at this address is the actor. Throws if the server of the actor does not respond. */
const leadsTo = async (ctx: Pick<Context, 'call'>, address: Uri, actor: string): Promise<boolean> => {
  const { outcome, actor: found } = await ctx.call(fetchObject, { url: address, behind: true })
  if (outcome === 'later') throw retryLater('the author of an object cannot be fetched yet')
  return found?.uri === actor
}

/**
 * Returns whether an address names this account.
 *
 * | Address | Result |
 * |---|---|
 * | its id or its page | true |
 * | id or page of another stored account | false |
 * | on another origin | false |
 * | any other | fetched; true if the document is the actor |
 */
export const isAddressOf = async (
  ctx: Pick<Context, 'call'>,
  address: Uri,
  account: AccountRecord,
): Promise<boolean> => {
  if (address === account.uri || !sameOrigin(address, account.uri)) return address === account.uri
  const owner = (await storedAt(ctx, [address], account)).get(address)
  return owner === undefined ? leadsTo(ctx, address, account.uri) : owner === account.id
}

/** Returns the activity, in which other addresses of the actor are replaced by its id: of authors, and of the own account. */
export const withAuthors = async (
  ctx: Pick<Context, 'call'>,
  activity: Activity,
  account: AccountRecord,
): Promise<Activity> => {
  const doubtful = doubtfulIn(activity)
  if (doubtful.length === 0) return activity
  const stored = await storedAt(ctx, doubtful, account)
  const unknown = doubtful.filter((it) => !stored.has(it)).slice(0, MAX_FETCHED)
  const found = await Promise.all(unknown.map((it) => leadsTo(ctx, it, account.uri)))
  const own = doubtful.filter((it) => stored.get(it) === account.id || found[unknown.indexOf(it)] === true)
  return withActor(activity, new Set(own))
}

/**
 * Like `withAuthors`, but without a fetch: addresses that no stored account has count as the actor's.
 *
 * The inbox endpoint uses this function, because it refuses an activity only if the fault is certain. The worker
 * fetches such addresses.
 */
export const withPossibleAuthors = async (
  ctx: Pick<Context, 'call'>,
  activity: Activity,
  account: { id: string },
): Promise<Activity> => {
  const doubtful = doubtfulIn(activity)
  if (doubtful.length === 0) return activity
  const stored = await storedAt(ctx, doubtful, account)
  return withActor(activity, new Set(doubtful.filter((it) => (stored.get(it) ?? account.id) === account.id)))
}
