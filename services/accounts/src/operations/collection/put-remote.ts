/** What somebody elsewhere says of a collection of theirs. */
import { collectionChanged, putRemoteCollection, type RemoteCollection } from '@murmuration/contracts/accounts'
import { isValidTag, normaliseTag } from '@murmuration/text'
import { takeItems } from '../../changes/remote-collection.js'
import { MOST_REMOTE_COLLECTIONS } from '../../domain/remote-collection.js'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { localMembers } from '../../store/collection-item.js'
import { lockName } from '../../store/lock.js'
import {
  changeRemoteText,
  countCollections,
  insertRemoteCollection,
  type RemoteCollectionText,
  remoteCollection,
} from '../../store/remote-collection.js'

const textOf = (it: RemoteCollection): RemoteCollectionText => ({
  url: it.url,
  name: it.name,
  description: it.description,
  language: it.language,
  sensitive: it.sensitive,
  discoverable: it.discoverable,
  tag: it.tag !== null && isValidTag(it.tag) ? normaliseTag(it.tag) : null,
})

export const putRemote = handle(putRemoteCollection, async (ctx, _viewer, { actor, collection, make, look }) => {
  const as = (outcome: 'done' | 'unchanged' | 'unknown' | 'refused') => ({ outcome })
  const owner = await accountById(ctx.db, actor)
  if (!owner || owner.domain === null || owner.suspended || owner.uri !== collection.ownerUri) return as('refused')
  const now = ctx.clock.date()
  const notLater = (time: string | null) => (time !== null && Date.parse(time) < now.getTime() ? new Date(time) : now)
  return ctx.db.tx(async (tx) => {
    await lockName(tx, `collections ${actor}`)
    const known = await remoteCollection(tx, collection.uri)
    if (known && known.account_id !== actor) return as('refused')
    if (!known && !make) return as('unknown')
    if (!known && (await countCollections(tx, actor)) >= MOST_REMOTE_COLLECTIONS) return as('refused')
    const id = known?.id ?? ctx.ids.next()
    await lockName(tx, `collection ${id}`)
    const text = textOf(collection)
    const updated = notLater(collection.updated)
    const changed = known ? await changeRemoteText(tx, id, text, updated) : false
    if (!known)
      await insertRemoteCollection(
        tx,
        { ...text, id, account_id: actor, uri: collection.uri },
        notLater(collection.published),
        updated,
      )
    const members = changed ? await localMembers(tx, id) : []
    if (members.length) await ctx.announce(tx, collectionChanged, { id, owner: actor, accounts: members })
    const kept = { id, account_id: actor, owner_uri: owner.uri }
    const moved = await takeItems(ctx, tx, kept, collection.items, { whole: true, look })
    return as(!known || changed || moved ? 'done' : 'unchanged')
  })
})
