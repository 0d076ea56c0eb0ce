/** A page of follower or following actor ids, for collections. */
import { relationPage } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { relationUris } from '../../store/audience.js'

export const getUris = handle(relationPage, async (ctx, _viewer, { id, which, page, before, size }) => {
  const account = await accountById(ctx.db, id)
  if (!account) throw notFound()
  const hidden = account.hide_collections === true || account.suspended
  const rows = hidden ? [] : await relationUris(ctx.db, id, which, { number: page, before, size })
  return {
    uris: rows.map((row) => row.uri),
    last: rows.length === size ? (rows.at(-1)?.id ?? null) : null,
    total: account[`${which}_count`],
    hidden,
  }
})
