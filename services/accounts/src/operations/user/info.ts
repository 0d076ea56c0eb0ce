/** Who the token belongs to, as OpenID Connect says it. */
import { userInfo } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { profileOf } from '../../views/account.js'

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
