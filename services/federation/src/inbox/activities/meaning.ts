/**
 * Replaces page addresses and old URIs of accounts and statuses in activities by their URIs.
 *
 * The replacement runs before the handler of an activity, so that handlers compare URIs only.
 */

import type { Activity, InnerActivity } from '@murmuration/activitypub/vocabulary/activity'
import type { Ref } from '@murmuration/activitypub/vocabulary/json'
import { readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { accountRecords } from '@murmuration/contracts/accounts'
import { statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'

/** URIs of accounts and statuses, by their page addresses and old URIs. */
export type UrisByAddress = ReadonlyMap<string, Uri>

/**
 * URIs of the accounts and statuses that have these page addresses or old URIs, for at most 1,000 addresses. Unknown
 * addresses are left out.
 *
 * Reads stored records only; fetches nothing.
 */
export const resolveAddresses = async (
  ctx: Pick<Context, 'call'>,
  addresses: readonly string[],
): Promise<UrisByAddress> => {
  const uris = [...new Set(addresses)].slice(0, 1_000)
  if (uris.length === 0) return new Map()
  const [accounts, statuses] = await Promise.all([
    ctx.call(accountRecords, { uris, pages: true }),
    ctx.call(statusRecords, { uris, pages: true }),
  ])
  const ids = new Map<string, Uri>()
  for (const { records, named = {} } of [statuses, accounts]) {
    const byId = new Map<string, string>(records.map((it) => [it.id, it.uri]))
    for (const [address, id] of Object.entries(named)) {
      const uri = readUri(byId.get(id))
      if (uri !== null) ids.set(address, uri)
    }
  }
  return ids
}

const innerAddresses = (inner: InnerActivity | null): (Uri | null)[] => [
  inner?.actor ?? null,
  inner?.object?.id ?? null,
]

/**
 * Addresses of an activity that may be pages. A Create and an Update with an embedded object have none, because its id
 * is its URI.
 */
const addressesIn = (activity: Activity): (Uri | null)[] => {
  switch (activity.type) {
    case 'Follow':
    case 'Block':
    case 'Like':
    case 'QuoteRequest':
    case 'FeatureRequest':
      return [activity.object]
    case 'Accept':
    case 'Reject':
    case 'Undo':
      return innerAddresses(activity.inner)
    case 'Announce':
      return [activity.object.id, ...innerAddresses(activity.inner)]
    case 'Add':
    case 'Remove':
    case 'Delete':
      return [activity.object.id]
    case 'Update':
      return activity.object.node === null ? [activity.object.id] : []
    case 'Flag':
      return [...activity.objects]
    case 'Move':
      return [activity.object, activity.target]
    default:
      return []
  }
}

/** The activity, in which page addresses and old URIs are replaced by the current URIs. */
export const withResolvedAddresses = async (ctx: Pick<Context, 'call'>, activity: Activity): Promise<Activity> => {
  const meanings = await resolveAddresses(
    ctx,
    addressesIn(activity).filter((it) => it !== null && it !== activity.actor) as Uri[],
  )
  if (meanings.size === 0) return activity
  const meant = (uri: Uri): Uri => meanings.get(uri) ?? uri
  const meantRef = <T extends Ref | null>(ref: T): T => (ref?.id ? { ...ref, id: meant(ref.id) } : ref)
  const meantInner = (inner: InnerActivity | null): InnerActivity | null =>
    inner && { ...inner, actor: inner.actor && meant(inner.actor), object: meantRef(inner.object) }
  switch (activity.type) {
    case 'Follow':
    case 'Block':
    case 'Like':
    case 'QuoteRequest':
    case 'FeatureRequest':
      return { ...activity, object: meant(activity.object) }
    case 'Accept':
    case 'Reject':
    case 'Undo':
      return { ...activity, inner: meantInner(activity.inner) }
    case 'Announce':
      return { ...activity, object: meantRef(activity.object), inner: meantInner(activity.inner) }
    case 'Add':
    case 'Remove':
    case 'Delete':
      return { ...activity, object: meantRef(activity.object) }
    case 'Update':
      return activity.object.node === null ? { ...activity, object: meantRef(activity.object) } : activity
    case 'Flag':
      return { ...activity, objects: activity.objects.map(meant) }
    case 'Move':
      return { ...activity, object: meant(activity.object), target: meant(activity.target) }
    default:
      return activity
  }
}
