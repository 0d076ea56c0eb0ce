/** Notes something about an account for oneself. */
import { noteSet } from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { handle } from '../../doors.js'
import { putNote } from '../../store/note.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

export const setNote = handle(noteSet, async (ctx, viewer, { id, comment }) => {
  await otherAccount(ctx, id)
  const text = (comment ?? '').trim() === '' ? '' : (comment ?? '')
  const most = limits.accounts.privateNoteCharacters
  if ([...text].length > most) throw invalidField(`Comment is too long (maximum is ${most} characters)`)
  await ctx.db.tx((tx) => putNote(tx, { from: viewer.id, to: id }, text))
  return relationshipTo(ctx, viewer.id, id)
})
