/** Handlers with which other servers request, accept and revoke the listing of an account in a collection (FEP-7aa9). */
import {
  collectionItemAdded,
  collectionItemAuthorization,
  requestCollectionItem,
  respondToCollectionItem,
  revokeCollectionConsent,
} from '@murmuration/contracts/accounts'
import { fetchFeatureAuthorization } from '@murmuration/contracts/federation'
import { limits } from '@murmuration/contracts/limits'
import { accountsByIds } from '../core/account/store.js'
import { lockName, lockNames, lockPair } from '../core/lock.store.js'
import { relationshipsOfViewer } from '../core/relationship/store.js'
import { handle } from '../handlers.js'
import {
  countItems,
  insertItems,
  itemOfAccount,
  itemsByAuthorization,
  itemWithOwner,
  revokeItems,
  setItemResponse,
} from './item.store.js'
import { announceAgreed, announceGone } from './members.js'
import { remoteCollection } from './remote.store.js'
import { collectionAddress, mayBeFeaturedBy, stateAfterResponse } from './rules.js'
import { collectionById } from './store.js'

/**
 * Decides on a request of a remote account to add a local account to its collection. The settings of the local account
 * decide.
 */
export const requestItem = handle(requestCollectionItem, async (ctx, _viewer, { actor, account, uri }) => {
  const rejected = { outcome: 'rejected' as const, item: null }
  return ctx.db.tx(async (tx) => {
    // The lock prevents that another transaction stores a block between the two accounts after the check and before the item is stored.
    await lockPair(tx, actor, account)
    const accounts = await accountsByIds(tx, [actor, account])
    const owner = accounts.find((row) => row.id === actor)
    const member = accounts.find((row) => row.id === account)
    if (!owner || owner.domain === null || owner.suspended || !member || member.domain !== null || !member.usable)
      return rejected
    const [relationship] = await relationshipsOfViewer(tx, account, [actor], ctx.clock.date())
    if (!mayBeFeaturedBy(member, relationship)) return rejected
    const known = await remoteCollection(tx, uri)
    if (known === null) return { outcome: 'unknown' as const, item: null }
    if (known.account_id !== actor) return rejected
    await lockName(tx, `collection ${known.id}`)
    const before = await itemOfAccount(tx, known.id, account)
    // An account that left the collection before is not added again.
    if (before) return before.state === 'accepted' ? { outcome: 'accepted' as const, item: before.id } : rejected
    if ((await countItems(tx, known.id)) >= limits.accounts.collectionItems) return rejected
    const item = { id: ctx.ids.next(), account, state: 'accepted' as const }
    await insertItems(tx, known.id, [item], ctx.clock.date())
    await ctx.announce(tx, collectionItemAdded, {
      id: item.id,
      collection: known.id,
      owner: actor,
      ownerLocal: false,
      account,
      accountLocal: true,
      state: 'accepted',
    })
    return { outcome: 'accepted' as const, item: item.id }
  })
})

/**
 * Applies the response of a remote account to a request for a local collection. A consent counts only with a valid
 * authorization.
 */
export const answerItem = handle(respondToCollectionItem, async (ctx, _viewer, { actor, item: id, authorization }) => {
  const as = (outcome: 'done' | 'unchanged' | 'refused' | 'unproved' | 'later') => ({ outcome })
  const item = await itemWithOwner(ctx.db, id)
  if (item?.account_id !== actor) return as('refused')
  const [collection, [account]] = await Promise.all([
    collectionById(ctx.db, item.collection_id),
    accountsByIds(ctx.db, [actor]),
  ])
  if (!collection?.local || !account || account.domain === null) return as('refused')
  if (stateAfterResponse(item.state, authorization !== null) === null) return as('unchanged')
  if (authorization !== null) {
    if (account.suspended) return as('refused')
    if (item.authorization_uri === authorization) return as('unchanged')
    const uri = collectionAddress(collection.owner_uri, collection.id)
    const proof = await ctx.call(fetchFeatureAuthorization, { authorization, collection: uri, account: account.uri })
    if (proof.outcome === 'later') return as('later')
    if (proof.outcome !== 'ok') return as('unproved')
  }
  const changed = await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${collection.id}`)
    const held = await itemWithOwner(tx, id)
    const state = held && stateAfterResponse(held.state, authorization !== null)
    if (!held || !state || !(await setItemResponse(tx, id, { state, authorization }))) return false
    if (state === 'rejected') await announceGone(ctx, tx, [{ ...held, state }])
    else if (held.state !== state) await announceAgreed(ctx, tx, held)
    return true
  })
  return as(changed ? 'done' : 'unchanged')
})

/**
 * Returns the authorization of a local account's item; null unless the item is accepted and both accounts are active.
 */
export const showItemAuthorization = handle(collectionItemAuthorization, async (ctx, _viewer, { id }) => {
  const none = { authorization: null }
  const item = await itemWithOwner(ctx.db, id)
  if (item?.state !== 'accepted') return none
  const [[account], collection] = await Promise.all([
    accountsByIds(ctx.db, [item.account_id]),
    collectionById(ctx.db, item.collection_id),
  ])
  if (!account || !collection || account.domain !== null || account.suspended || collection.owner_suspended) return none
  const collectionUri = collection.uri ?? collectionAddress(collection.owner_uri, collection.id)
  return { authorization: { account: account.id, accountUri: account.uri, collectionUri } }
})

/**
 * Maximum number of collection items that one call revokes. Accepted items come first, because other items may name the
 * authorization without permission.
 */
const MAX_ITEMS = 100

export const revokeConsent = handle(revokeCollectionConsent, async (ctx, _viewer, { actor, authorization }) => {
  const items = await itemsByAuthorization(ctx.db, authorization, actor, MAX_ITEMS)
  if (items.length === 0) return { outcome: 'unknown' as const }
  await ctx.db.tx(async (tx) => {
    await lockNames(
      tx,
      items.map((item) => `collection ${item.collection_id}`),
    )
    const ids = items.map((item) => item.id)
    await announceGone(ctx, tx, await revokeItems(tx, ids))
  })
  return { outcome: 'done' as const }
})
