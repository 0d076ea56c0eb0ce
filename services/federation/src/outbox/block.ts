/** Block of a remote account, as an activity. */

import { type OutgoingActivity, writeBlock } from '@murmuration/activitypub/vocabulary/write-activity'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { Relation } from './follow.js'

export const ourBlock = (e: Relation, our: AccountRecord, their: AccountRecord): OutgoingActivity =>
  writeBlock({ id: e.uri ?? `${our.uri}#blocks/${e.id}`, actor: our.uri, object: their.uri })
