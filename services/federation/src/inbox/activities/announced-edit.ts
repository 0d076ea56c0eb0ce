/** Handles an Update that a group announces (FEP-1b12). An announced Update is not a reblog. */

import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { fetchOriginal } from './create.js'
import { storeEdit } from './note.js'
import { ignored, type Outcome } from './outcome.js'
import type { Received } from './received.js'

/** Fetches the status from its own server and stores the edit. The copy that the group sent is ignored. */
export const announcedEdit = async (
  ctx: Context,
  { activity }: Received<'Announce'>,
  known: StatusRecord,
  author: AccountRecord,
): Promise<Outcome> => {
  if (known.local) return ignored('ours-already')
  const { addressing, language } = activity
  const read = await fetchOriginal(
    ctx,
    { activity: { actor: author.uri as Uri, addressing, language }, actor: author, ownerId: null },
    known.uri as Uri,
    true,
  )
  return read.ok ? storeEdit(ctx, read.unstored, known) : read.outcome
}
