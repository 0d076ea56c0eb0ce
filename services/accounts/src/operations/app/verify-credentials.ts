/** The application behind the token, whatever its scopes (S-167, S-173). */
import { appVerify } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { applicationById } from '../../store/application.js'
import { applicationOf } from '../../views/application.js'

export const verifyApp = handle(appVerify, async (ctx, _viewer, _input, request) => {
  const app = await applicationById(ctx.db, request.caller?.app?.id ?? '0')
  if (!app) throw notFound()
  return applicationOf(ctx, app)
})
