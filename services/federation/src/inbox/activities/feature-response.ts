/** Handles the Accept and Reject of a local FeatureRequest, and the revocation of such an Accept (FEP-7aa9). */

import { hrefOf, idOf, isSeveral, prop, type Ref, typesOf } from '@murmuration/activitypub/vocabulary/json'
import { collectionRecords, respondToCollectionItem, revokeCollectionConsent } from '@murmuration/contracts/accounts'
import { isId } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { withoutNeedlessParts } from '../../core/address/own-address.rules.js'
import { isStoredAddressOf } from './author.js'
import { inOrder } from './ordering.js'
import { done, type Outcome, refused } from './outcome.js'
import { countOnce, type Received, retryLater } from './received.js'

/** Matches the path of the id of a local FeatureRequest. The capture group is the id of the collection item. */
const QUESTION = /\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64})\/feature_requests\/(\d{1,19})$/

type Response = Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor'>

/** True if the value names the actor by its id or its page. */
const isActor = async (ctx: Context, value: unknown, { activity, actor }: Response): Promise<boolean> => {
  const address = idOf(value) ?? hrefOf(value)
  return address === activity.actor || (address !== null && (await isStoredAddressOf(ctx, address, actor)))
}

/**
 * Item id of the actor in the local collection that the copy of a FeatureRequest names; null if there is none. Used if
 * the copy lacks the id of the request. The `object` of the copy may be missing.
 */
const itemNamed = async (ctx: Context, { activity, actor }: Response): Promise<string | null> => {
  const { node } = activity.object
  if (node === null || !typesOf(node).includes('FeatureRequest')) return null
  const instrument = prop(node, 'instrument')
  const collection = isSeveral(instrument) ? null : (idOf(instrument) ?? hrefOf(instrument))
  const member = prop(node, 'object')
  if ((member ?? null) !== null && !(await isActor(ctx, member, { activity, actor }))) return null
  if (collection === null || !isOurs(collection, ctx.self.ownHosts)) return null
  const uris = [withoutNeedlessParts(collection, ctx.self.ownHosts)]
  const { records } = await ctx.call(collectionRecords, { uris, member: actor.id })
  return records[0]?.item ?? null
}

/** Id of the collection item that an Accept or Reject is about; null if it is about no local FeatureRequest. */
const itemOf = async (ctx: Context, response: Response): Promise<string | null> => {
  const { inner, object } = response.activity
  const id = inner?.id ?? object.id
  const isHere = id !== null && isOurs(id, ctx.self.ownHosts)
  const item = isHere ? QUESTION.exec(withoutNeedlessParts(id, ctx.self.ownHosts))?.[1] : undefined
  return item !== undefined && isId(item) ? item : itemNamed(ctx, response)
}

/**
 * Applies the Accept or Reject of a FeatureRequest. Null if the activity is about another request.
 *
 * The accounts service checks that the actor is the recipient of the FeatureRequest.
 */
export const applyFeatureResponse = async (
  ctx: Context,
  { activity, actor, delivery }: Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor' | 'delivery'>,
): Promise<Outcome | null> => {
  const item = await itemOf(ctx, { activity, actor })
  if (item === null) return null
  const accepts = activity.type === 'Accept'
  if (accepts && activity.result === null) return refused('no-authorization')
  // A Reject has no rate limit, because it only removes an approval.
  const may = () => ctx.fetcher.limits.mayAccept(`item ${item}`, actor.id)
  if (accepts && !(await countOnce(ctx, delivery, 'answer', may))) return refused('answered-too-often')
  const authorization = accepts ? activity.result : null
  return inOrder(ctx, { activity, delivery }, { object: `item ${item}` }, async () => {
    const { outcome } = await ctx.call(respondToCollectionItem, { actor: actor.id, item, authorization })
    if (outcome === 'later') throw retryLater('the authorization cannot be read yet')
    if (outcome === 'refused') return refused('never-asked')
    if (outcome === 'unproved') return refused('no-authorization')
    return done(outcome === 'done' ? null : outcome)
  })
}

/** Revokes the FeatureAuthorization that a Delete names. Null if no such authorization is stored. */
export const featureRevoked = async (
  ctx: Context,
  actor: { id: string },
  { id, node }: Ref,
): Promise<Outcome | null> => {
  // An object of a known other type cannot be an authorization.
  const types = node === null ? [] : typesOf(node)
  if (id === null || (types.length > 0 && !types.includes('FeatureAuthorization'))) return null
  const { outcome } = await ctx.call(revokeCollectionConsent, { actor: actor.id, authorization: id })
  return outcome === 'done' ? done() : null
}
