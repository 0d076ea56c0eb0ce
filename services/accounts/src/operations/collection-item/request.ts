/** Somebody elsewhere asks whether somebody here wants to be in a collection; what they chose for themselves answers. */
import { collectionItemAdded, requestCollectionItem } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import { mayBeFeaturedBy } from '../../domain/collection.js'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { countItems, insertItems, itemOfAccount } from '../../store/collection-item.js'
import { lockName, lockPair } from '../../store/lock.js'
import { standingsOfViewer } from '../../store/relation.js'
import { remoteCollection } from '../../store/remote-collection.js'

export const requestItem = handle(requestCollectionItem, async (ctx, _viewer, { actor, account, uri }) => {
  const rejected = { outcome: 'rejected' as const, item: null }
  return ctx.db.tx(async (tx) => {
    // Nobody blocks the other between the check and the row.
    await lockPair(tx, actor, account)
    const people = await accountsByIds(tx, [actor, account])
    const keeper = people.find((row) => row.id === actor)
    const person = people.find((row) => row.id === account)
    if (!keeper || keeper.domain === null || keeper.suspended || !person || person.domain !== null || !person.usable)
      return rejected
    const [standing] = await standingsOfViewer(tx, account, [actor], ctx.clock.date())
    if (!mayBeFeaturedBy(person, standing)) return rejected
    const known = await remoteCollection(tx, uri)
    if (known === null) return { outcome: 'unknown' as const, item: null }
    if (known.account_id !== actor) return rejected
    await lockName(tx, `collection ${known.id}`)
    const before = await itemOfAccount(tx, known.id, account)
    // Who left is not put back.
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
