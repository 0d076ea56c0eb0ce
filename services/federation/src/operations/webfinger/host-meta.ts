/** `GET /.well-known/host-meta`: where WebFinger answers, as XML, or as JSON for those who ask for it. */

import { writeHostMeta, writeHostMetaJson } from '@murmuration/activitypub/vocabulary/write-webfinger'
import { showHostMeta } from '@murmuration/contracts/federation'
import { wantsJson } from '@murmuration/text'
import { handle } from '../../doors.js'
import { KEEP, openAnswer } from '../../requests/answer.js'
import { headerText, readIncoming } from '../../requests/incoming.js'

export const hostMeta = handle(showHostMeta, async (ctx, _viewer, input) => {
  const request = readIncoming(input)
  const json = /\.json(?:$|\?)/.test(request.path) || wantsJson(headerText(request, 'accept'))
  const { origin } = ctx.site
  return json
    ? openAnswer(JSON.stringify(writeHostMetaJson(origin)), KEEP.webfinger, {
        'Content-Type': 'application/json; charset=utf-8',
        Vary: 'Accept',
      })
    : openAnswer(writeHostMeta(origin), KEEP.webfinger, { Vary: 'Accept' })
})
