/** Changes what a collection of the viewer says of itself; the people in it are told when anything did. */
import { collectionChanged, collectionUpdate } from '@murmuration/contracts/accounts'
import { collectionText } from '../../domain/collection.js'
import { handle } from '../../doors.js'
import { updateCollection } from '../../store/collection.js'
import { localMembers } from '../../store/collection-item.js'
import { lockName } from '../../store/lock.js'
import { collectionsOf } from '../../views/collection.js'
import { ownCollection } from '../../views/own-collection.js'

export const changeCollection = handle(collectionUpdate, async (ctx, viewer, input) => {
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${input.id}`)
    const before = await ownCollection(tx, viewer, input.id)
    const after = {
      ...collectionText(input, before),
      sensitive: input.sensitive ?? before.sensitive,
      discoverable: input.discoverable ?? before.discoverable,
    }
    if (Object.entries(after).every(([name, value]) => before[name as keyof typeof after] === value)) return
    await updateCollection(tx, before.id, after, ctx.clock.date())
    await ctx.announce(tx, collectionChanged, {
      id: before.id,
      owner: viewer.id,
      accounts: await localMembers(tx, before.id),
      discoverable: { before: before.discoverable, after: after.discoverable },
    })
  })
  const row = await ownCollection(ctx.db, viewer, input.id)
  const [collection] = await collectionsOf(ctx, [row], viewer.id)
  if (!collection) throw new Error('a stored collection is gone')
  return { collection }
})
