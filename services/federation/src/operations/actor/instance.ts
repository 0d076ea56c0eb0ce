/** `GET /actor`: the actor that stands for the server, open to everybody in every mode. */

import { writeInstanceActor } from '@murmuration/activitypub/vocabulary/write-actor'
import { showInstanceActor } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { KEEP, openAnswer } from '../../requests/answer.js'

export const instance = handle(showInstanceActor, async (ctx) => {
  const { publicPem } = await ctx.self.signer()
  const document = writeInstanceActor({
    uri: ctx.self.instanceActor,
    handleDomain: ctx.site.localDomain,
    url: `${ctx.site.origin}/about`,
    sharedInbox: ctx.self.sharedInbox,
    publicKeyPem: publicPem,
  })
  return openAnswer(JSON.stringify(document), KEEP.instance)
})
