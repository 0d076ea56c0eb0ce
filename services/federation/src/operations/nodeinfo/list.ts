/** `GET /.well-known/nodeinfo`: where NodeInfo is. */

import { writeNodeInfoLinks } from '@murmuration/activitypub/vocabulary/write-nodeinfo'
import { listNodeInfo } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { KEEP, openAnswer } from '../../requests/answer.js'

export const list = handle(listNodeInfo, async (ctx) =>
  openAnswer(
    JSON.stringify(writeNodeInfoLinks({ webOrigin: ctx.site.origin, instanceActor: ctx.self.instanceActor })),
    KEEP.webfinger,
  ),
)
