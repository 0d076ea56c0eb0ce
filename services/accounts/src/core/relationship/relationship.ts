/** Renders Relationship JSON from rows. */
import type { Relationship } from '@murmuration/contracts'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { type RelationRow, relationsOfViewer } from './store.js'

export const relationshipOf = ({
  followed_by_since: _followedSince,
  following_since: _followingSince,
  muting_expires_at,
  ...row
}: RelationRow): Relationship => ({
  ...row,
  muting_expires_at: muting_expires_at?.toISOString() ?? null,
})

/** The viewer's relationship to one account, read from the database. The caller has checked that the account exists. */
export const relationshipTo = async (
  ctx: Pick<Context, 'db' | 'clock'>,
  viewer: string,
  id: string,
): Promise<Relationship> => {
  const [row] = await relationsOfViewer(ctx.db, viewer, [id], { at: ctx.clock.date(), withSuspended: true })
  if (!row) throw notFound()
  return relationshipOf(row)
}
