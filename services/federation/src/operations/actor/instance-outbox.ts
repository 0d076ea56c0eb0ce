/** `GET /actor/outbox`: empty, because the server itself publishes nothing. */

import { writeWholeCollection } from '@murmuration/activitypub/vocabulary/write-collection'
import { showInstanceOutbox } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { KEEP, openAnswer } from '../../requests/answer.js'

export const instanceOutbox = handle(showInstanceOutbox, async (ctx) =>
  openAnswer(
    JSON.stringify(writeWholeCollection({ uri: `${ctx.self.instanceActor}/outbox`, items: [] })),
    KEEP.instance,
  ),
)
