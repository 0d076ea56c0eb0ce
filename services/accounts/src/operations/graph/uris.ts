/** A numbered page of follower or following actor ids, for collections. */
import { relationPage } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { relationUris } from '../../store/audience.js'

export const getUris = handle(relationPage, async (ctx, _viewer, { id, which, page, size }) => {
  const account = await accountById(ctx.db, id)
  if (!account) throw notFound()
  const hidden = account.hide_collections === true || account.suspended
  return {
    uris: hidden ? [] : await relationUris(ctx.db, id, which, { number: page, size }),
    total: account[`${which}_count`],
    hidden,
  }
})
