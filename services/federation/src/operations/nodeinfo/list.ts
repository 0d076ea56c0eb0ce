/** `GET /.well-known/nodeinfo`: where NodeInfo is. */
import { listNodeInfo } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { KEEP, openAnswer } from '../../requests/answer.js'
import { writeNodeInfoLinks } from '../../vocabulary/write-nodeinfo.js'

export const list = handle(listNodeInfo, async (ctx) =>
  openAnswer(
    JSON.stringify(writeNodeInfoLinks({ webOrigin: ctx.site.origin, instanceActor: ctx.self.instanceActor })),
    KEEP.webfinger,
  ),
)
