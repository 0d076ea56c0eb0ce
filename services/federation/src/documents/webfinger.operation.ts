/** Handlers of WebFinger and host-meta (RFC 7033, RFC 6415). */
import {
  writeHostMeta,
  writeHostMetaJson,
  writeInstanceWebFinger,
  writeWebFinger,
} from '@murmuration/activitypub/vocabulary/write-webfinger'
import { localActors } from '@murmuration/contracts/accounts'
import { showHostMeta, showWebFinger } from '@murmuration/contracts/federation'
import { type Reply, reply } from '@murmuration/contracts/kit'
import { wantsJson } from '@murmuration/text'
import type { Context } from '../context.js'
import { isGone } from '../core/actor/gone.store.js'
import { INSTANCE_ACCOUNT } from '../core/address/self.js'
import { headerText, readIncoming } from '../core/signature/incoming.js'
import { handle } from '../handlers.js'
import { readResource } from './resource.rules.js'
import { MAX_AGE_SECONDS, openResponse } from './response.js'

/** `GET /.well-known/host-meta`: link template of WebFinger, as XML, or as JSON if requested. */
export const hostMeta = handle(showHostMeta, async (ctx, _viewer, input) => {
  const request = readIncoming(input)
  const json = /\.json(?:$|\?)/.test(request.path) || wantsJson(headerText(request, 'accept'))
  const { origin } = ctx.site
  return json
    ? openResponse(JSON.stringify(writeHostMetaJson(origin)), MAX_AGE_SECONDS.webfinger, {
        'Content-Type': 'application/json; charset=utf-8',
        Vary: 'Accept',
      })
    : openResponse(writeHostMeta(origin), MAX_AGE_SECONDS.webfinger, { Vary: 'Accept' })
})

/** Error response without a body, as plain text instead of JRD. */
const refused = (status: 400 | 404 | 410): Reply<string> =>
  reply('', {
    status,
    headers: {
      'Cache-Control': `max-age=${MAX_AGE_SECONDS.refusal}, public`,
      'Content-Type': 'text/plain; charset=utf-8',
    },
  })

type Finger = ReturnType<typeof writeWebFinger> | ReturnType<typeof writeInstanceWebFinger>

/** Response with those links of the document whose relation is in `rel`; with all links if `rel` is empty. */
const fingerResponse = (document: Finger, rel: unknown): Reply<string> => {
  const wanted = [rel].flat().filter((it) => typeof it === 'string' && it !== '')
  const links = document.links.filter((it) => wanted.length === 0 || wanted.includes(it.rel))
  return openResponse(JSON.stringify({ ...document, links }), MAX_AGE_SECONDS.webfinger)
}

const accountFinger = async (
  ctx: Context,
  name: { id: string | null; username: string | null },
  rel: unknown,
): Promise<Reply<string>> => {
  const { id, username } = name
  const { actors } = await ctx.call(localActors, id !== null ? { ids: [id] } : { usernames: [username ?? ''] })
  const [found] = actors
  if (found === undefined || found.domain !== null || found.id === INSTANCE_ACCOUNT)
    return refused(id !== null && (await isGone(ctx.db, id)) ? 410 : 404)
  const avatar = ctx.config.limitedFederation || found.suspended ? null : found.avatar
  return fingerResponse(
    writeWebFinger({
      username: found.username,
      handleDomain: ctx.site.localDomain,
      webOrigin: ctx.site.origin,
      uri: found.uri,
      url: found.url,
      avatar: avatar && { url: avatar.url, mediaType: avatar.type },
    }),
    rel,
  )
}

export const show = handle(showWebFinger, async (ctx, _viewer, { resource, rel }) => {
  const subject = readResource(resource, { domains: ctx.self.ownDomains, hosts: ctx.self.ownHosts })
  switch (subject.what) {
    case 'account':
      return accountFinger(ctx, subject, rel)
    case 'instance':
      return fingerResponse(
        writeInstanceWebFinger({
          handleDomain: ctx.site.localDomain,
          uri: ctx.self.instanceActor,
          url: `${ctx.site.origin}/about`,
        }),
        rel,
      )
    case 'foreign':
      return refused(404)
    default:
      return refused(400)
  }
})
