/** Somebody elsewhere was asked whether they want to be in a collection of somebody here, and answers. */
import { answerCollectionItem } from '@murmuration/contracts/accounts'
import { fetchFeatureAuthorization } from '@murmuration/contracts/federation'
import { announceAgreed, announceGone } from '../../changes/collection.js'
import { answered, collectionAddress } from '../../domain/collection.js'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { collectionById } from '../../store/collection.js'
import { itemWithOwner, setItemAnswer } from '../../store/collection-item.js'
import { lockName } from '../../store/lock.js'

export const answerItem = handle(answerCollectionItem, async (ctx, _viewer, { actor, item: id, authorization }) => {
  const as = (outcome: 'done' | 'unchanged' | 'refused' | 'unproved' | 'later') => ({ outcome })
  const asked = await itemWithOwner(ctx.db, id)
  if (asked?.account_id !== actor) return as('refused')
  const [collection, [account]] = await Promise.all([
    collectionById(ctx.db, asked.collection_id),
    accountsByIds(ctx.db, [actor]),
  ])
  if (!collection?.local || !account || account.domain === null) return as('refused')
  if (answered(asked.state, authorization !== null) === null) return as('unchanged')
  if (authorization !== null) {
    if (account.suspended) return as('refused')
    if (asked.authorization_uri === authorization) return as('unchanged')
    const uri = collectionAddress(collection.owner_uri, collection.id)
    const proof = await ctx.call(fetchFeatureAuthorization, { authorization, collection: uri, account: account.uri })
    if (proof.outcome === 'later') return as('later')
    if (proof.outcome !== 'ok') return as('unproved')
  }
  const changed = await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${collection.id}`)
    const held = await itemWithOwner(tx, id)
    const state = held && answered(held.state, authorization !== null)
    if (!held || !state || !(await setItemAnswer(tx, id, { state, authorization }))) return false
    if (state === 'rejected') await announceGone(ctx, tx, [{ ...held, state }])
    else if (held.state !== state) await announceAgreed(ctx, tx, held)
    return true
  })
  return as(changed ? 'done' : 'unchanged')
})
