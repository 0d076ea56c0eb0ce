/** Handler that returns claims about the user of a token (OpenID Connect). */
import { userInfo } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { accountById } from '../core/account/store.js'
import { profileOf } from '../core/account/view.js'
import { handle } from '../handlers.js'

export const showUserInfo = handle(userInfo, async (ctx, viewer) => {
  const row = await accountById(ctx.db, viewer.id)
  if (!row) throw notFound()
  const profile = profileOf(row, ctx.site)
  return {
    iss: `${ctx.site.origin}/`,
    sub: profile.uri,
    name: profile.display_name,
    preferred_username: profile.username,
    profile: profile.url,
    picture: profile.avatar,
  }
})
