/** People who want to be found, a page at a time. */
import { directoryList } from '@murmuration/contracts/accounts'
import { fail, jsonArray } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { directoryPage } from '../../store/directory.js'
import { cardsInOrder } from '../../views/account-cards.js'

export const listDirectory = handle(directoryList, async (ctx, viewer, { order, ...wish }) => {
  if (!ctx.policy.settings().profile_directory) throw fail('not_found', 'Not Found')
  const ids = await directoryPage(ctx.db, {
    ...wish,
    newest: order === 'new',
    viewer: viewer?.id ?? null,
    at: ctx.clock.date(),
  })
  return jsonArray(await cardsInOrder(ctx, ids))
})
