/**
 * Deletes stored activities of an actor whose server was rebuilt, because the rebuilt server may use the same ids
 * again.
 */
import { accountRebuilt, accountRecords } from '@murmuration/contracts/accounts'
import { inSteps } from '@murmuration/kernel'
import { react } from '../handlers.js'
import { deleteActivitiesOf } from './inbox.store.js'
import { deleteTimestampsOf } from './last-writer.store.js'

export const onAccountRebuilt = react(accountRebuilt, 'on-account-rebuilt', async (ctx, e) => {
  const [actor] = (await ctx.call(accountRecords, { ids: [e.id] })).records
  if (actor === undefined) return
  const before = new Date(e.at)
  await inSteps({ size: 1_000, steps: 1_000 }, (max) =>
    deleteActivitiesOf(ctx.db, { actor: actor.uri, before, limit: max }),
  )
  await inSteps({ size: 1_000, steps: 1_000 }, (max) =>
    deleteTimestampsOf(ctx.db, { actor: actor.uri, before, limit: max }),
  )
})
