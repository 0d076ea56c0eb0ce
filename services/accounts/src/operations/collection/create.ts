/** Makes a collection of the viewer, with its first accounts: all of them or none. */
import type { CollectionResult } from '@murmuration/contracts'
import { collectionCreate, collectionCreated } from '@murmuration/contracts/accounts'
import { type Json, notFound, toJson } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { addToCollection } from '../../changes/collection.js'
import { collectionText, tooManyCollections, tooManyItems } from '../../domain/collection.js'
import { handle } from '../../doors.js'
import { collectionById, insertCollection, roomForCollections } from '../../store/collection.js'
import { answerOf, rememberAnswer } from '../../store/command.js'
import { lockAccount, lockName } from '../../store/lock.js'
import { collectionOf } from '../../views/collection.js'

export const createCollection = handle(collectionCreate, async (ctx, viewer, input, request) => {
  const key = request.idempotencyKey && `collection ${viewer.id} ${request.idempotencyKey}`
  const text = collectionText(input, null)
  if (input.account_ids.length > limits.accounts.collectionItems) throw tooManyItems()
  const id = ctx.ids.next()
  return ctx.db.tx(async (tx) => {
    // Nobody blocks the keeper between the check and the row.
    await lockAccount(tx, viewer.id)
    await lockName(tx, `collections ${viewer.id}`)
    const earlier = key ? await answerOf(tx, key) : null
    if (earlier !== null) return earlier as Json<CollectionResult>
    const room = await roomForCollections(tx, viewer.id)
    if (!room) throw notFound()
    if (room.kept >= room.most) throw tooManyCollections(room.most)
    await insertCollection(
      tx,
      { id, account_id: viewer.id, ...text, sensitive: input.sensitive, discoverable: input.discoverable },
      ctx.clock.date(),
    )
    await ctx.announce(tx, collectionCreated, { id, owner: viewer.id, discoverable: input.discoverable })
    const items = await addToCollection(ctx, tx, { id, owner: viewer.id }, input.account_ids)
    const row = await collectionById(tx, id)
    if (!row) throw new Error('a stored collection is gone')
    const answer = toJson<CollectionResult>({ collection: collectionOf(row, items, ctx.site) })
    if (key) await rememberAnswer(tx, key, answer)
    return answer
  })
})
