/** Writes the Like of a remote status. */

import { type OutgoingActivity, writeLike } from '@murmuration/activitypub/vocabulary/write-activity'
import type { AccountRecord } from '@murmuration/contracts/accounts'

export const writeOwnLike = (
  e: { id: string; uri: string | null; statusUri: string },
  our: AccountRecord,
  their: AccountRecord,
): OutgoingActivity =>
  writeLike({ id: e.uri ?? `${our.uri}#likes/${e.id}`, actor: our.uri, object: e.statusUri, author: their.uri })
