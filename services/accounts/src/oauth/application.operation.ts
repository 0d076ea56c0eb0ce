/** Handlers of OAuth applications. */
import { createApp, verifyApp } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../handlers.js'
import { registrationOf } from './application.rules.js'
import { applicationById, insertApplication } from './application.store.js'
import { applicationOf } from './application.view.js'

/** Registers an application. The secret is contained only in this response. */
export const create = handle(createApp, async (ctx, _viewer, input) => {
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

/** Returns the application of the token, which needs no scope (S-167, S-173). */
export const verify = handle(verifyApp, async (ctx, _viewer, _input, request) => {
  const app = await applicationById(ctx.db, request.caller?.app?.id ?? '0')
  if (!app) throw notFound()
  return applicationOf(ctx, app)
})
