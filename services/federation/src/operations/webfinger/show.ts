/** `GET /.well-known/webfinger`: the actor behind a handle or an address. */
import { localActors } from '@murmuration/contracts/accounts'
import { showWebFinger } from '@murmuration/contracts/federation'
import type { Reply } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { readResource } from '../../domain/resource.js'
import { handle } from '../../doors.js'
import { emptyAnswer, KEEP, openAnswer } from '../../requests/answer.js'
import { INSTANCE_ACCOUNT } from '../../self.js'
import { isGone } from '../../store/gone-actor.js'
import { writeInstanceWebFinger, writeWebFinger } from '../../vocabulary/write-webfinger.js'

const refused = (status: 400 | 404 | 410): Reply<string> => emptyAnswer(status, KEEP.refusal)
const answered = (document: unknown): Reply<string> => openAnswer(JSON.stringify(document), KEEP.webfinger)

const person = async (ctx: Context, asked: { id: string | null; username: string | null }): Promise<Reply<string>> => {
  const { id, username } = asked
  const { actors } = await ctx.call(localActors, id !== null ? { ids: [id] } : { usernames: [username ?? ''] })
  const [found] = actors
  if (found === undefined || found.domain !== null || found.id === INSTANCE_ACCOUNT)
    return refused(id !== null && (await isGone(ctx.db, id)) ? 410 : 404)
  const avatar = ctx.config.limitedFederation || found.suspended ? null : found.avatar
  return answered(
    writeWebFinger({
      username: found.username,
      handleDomain: ctx.site.localDomain,
      webOrigin: ctx.site.origin,
      uri: found.uri,
      url: found.url,
      avatar: avatar && { url: avatar.url, mediaType: avatar.type },
    }),
  )
}

export const show = handle(showWebFinger, async (ctx, _viewer, { resource }) => {
  const asked = readResource(resource, { domains: ctx.self.ownDomains, hosts: ctx.self.ownHosts })
  switch (asked.what) {
    case 'person':
      return person(ctx, asked)
    case 'instance':
      return answered(
        writeInstanceWebFinger({
          handleDomain: ctx.site.localDomain,
          uri: ctx.self.instanceActor,
          url: `${ctx.site.origin}/about`,
        }),
      )
    case 'foreign':
      return refused(404)
    default:
      return refused(400)
  }
})
