/** Handlers that list relationships and set the private note on an account. */
import { findLocalAndFollowed, listRelationships, setNote, showRelationship } from '@murmuration/contracts/accounts'
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { otherAccount } from '../core/account/visible-account.js'
import { relationshipOf, relationshipTo } from '../core/relationship/relationship.js'
import { relationsOfViewer } from '../core/relationship/store.js'
import { handle } from '../handlers.js'
import { involvedAmong, putNote } from './store.js'

/** Returns the viewer's relationships to the requested accounts. */
export const handleListRelationships = handle(listRelationships, async (ctx, viewer, { id, with_suspended }) => {
  const rows = await relationsOfViewer(ctx.db, viewer.id, id, {
    at: ctx.clock.date(),
    withSuspended: with_suspended,
  })
  return rows.map(relationshipOf)
})

/** Returns a relationship for operators. The private note is left out. */
export const show = handle(showRelationship, async (ctx, _viewer, { account, other }) => {
  const [row] = await relationsOfViewer(ctx.db, account, [other], { at: ctx.clock.date(), withSuspended: true })
  if (!row) return { relationship: null }
  const {
    id: _id,
    followed_by_since: _since,
    requested_by: _requestedBy,
    endorsed: _endorsed,
    note: _note,
    following_since,
    muting_expires_at,
    ...relationship
  } = row
  return {
    relationship: {
      ...relationship,
      following_since: following_since?.toISOString() ?? null,
      muting_expires_at: muting_expires_at?.toISOString() ?? null,
    },
  }
})

/** Stores the viewer's private note on an account. A blank note deletes it. */
export const handleSetNote = handle(setNote, async (ctx, viewer, { id, comment }) => {
  await otherAccount(ctx, id)
  const text = (comment ?? '').trim() === '' ? '' : (comment ?? '')
  const max = limits.accounts.privateNoteCharacters
  if ([...text].length > max)
    throw invalidField(errorText('Comment is too long (maximum is {most} characters)', { most: max }))
  await ctx.db.tx((tx) => putNote(tx, { from: viewer.id, to: id }, text))
  return relationshipTo(ctx, viewer.id, id)
})

/** Returns which of the requested accounts are local, and which have a follower. */
export const involved = handle(findLocalAndFollowed, (ctx, _viewer, { ids }) => involvedAmong(ctx.db, ids))
