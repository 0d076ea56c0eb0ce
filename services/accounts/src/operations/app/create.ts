/** Registers an application; its secret is shown this once. */
import { appCreate } from '@murmuration/contracts/accounts'
import { registrationOf } from '../../domain/application.js'
import { handle } from '../../doors.js'
import { insertApplication } from '../../store/application.js'
import { applicationOf } from '../../views/application.js'

export const createApp = handle(appCreate, async (ctx, _viewer, input) => {
  const { name, redirectUris, scopes, website } = registrationOf(input)
  const secret = ctx.tokens.random()
  const app = {
    id: ctx.ids.next(),
    client_id: ctx.tokens.random(),
    secret_hash: ctx.tokens.digest(secret),
    name,
    website,
    redirect_uris: redirectUris,
    scopes,
  }
  await insertApplication(ctx.db, { ...app, createdAt: ctx.clock.date() })
  return {
    ...applicationOf(ctx, app),
    client_id: app.client_id,
    client_secret: secret,
    client_secret_expires_at: 0 as const,
  }
})
