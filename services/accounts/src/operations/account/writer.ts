/** Everything that accounts knows for a status that is written: one question instead of three. */
import { accountWriter } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handleKeyOf } from '../../domain/handle.js'
import { handle } from '../../doors.js'
import { recordsByHandles, writerById } from '../../store/account-record.js'
import { recordOf } from '../../views/account-record.js'
import { postingOf } from '../../views/posting.js'

export const getWriter = handle(accountWriter, async (ctx, _viewer, { id, handles = [] }) => {
  const keys = handles.map((one) => handleKeyOf(one, ctx.site)).filter((one) => one !== null)
  const [author, named] = await Promise.all([writerById(ctx.db, id), recordsByHandles(ctx.db, keys)])
  if (!author) throw notFound()
  return {
    author: recordOf(author),
    defaults: postingOf(author, ctx.policy.settings().languages),
    named: [...new Map(named.map((row) => [row.id, recordOf(row)])).values()],
  }
})
