/** Serves the banner and icons of the server, which do not change within a release. */
import { showPicture } from '@murmuration/contracts/admin'
import { notFound, reply } from '@murmuration/contracts/kit'
import { handle } from '../handlers.js'

export const show = handle(showPicture, async (ctx, _viewer, { name }) => {
  const picture = ctx.pictures.get(name)
  if (!picture) throw notFound('Not Found')
  return reply(picture, {
    headers: {
      'Cache-Control': 'public, max-age=86400',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  })
})
