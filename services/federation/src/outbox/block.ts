/** Writes the Block of a remote account. */

import { type OutgoingActivity, writeBlock } from '@murmuration/activitypub/vocabulary/write-activity'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { Relation } from './follow.js'

export const writeOwnBlock = (e: Relation, our: AccountRecord, their: AccountRecord): OutgoingActivity =>
  writeBlock({ id: e.uri ?? `${our.uri}#blocks/${e.id}`, actor: our.uri, object: their.uri })
