/** An edit that a group passes on: the status is fetched from its own server. It is never a boost. */

import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { broughtOrigin } from './create.js'
import { storeEdit } from './note.js'
import { ignored, type Outcome } from './outcome.js'
import type { Received } from './received.js'

/** Uses nothing of the copy that the group sent: the activity only announces an edit. */
export const passedOnEdit = async (
  ctx: Context,
  { activity }: Received<'Announce'>,
  known: StatusRecord,
  author: AccountRecord,
): Promise<Outcome> => {
  if (known.local) return ignored('ours-already')
  const { addressing, language } = activity
  const read = await broughtOrigin(
    ctx,
    { activity: { actor: author.uri as Uri, addressing, language }, actor: author, ownerId: null },
    known.uri as Uri,
    true,
  )
  return read.ok ? storeEdit(ctx, read.brought, known) : read.outcome
}
