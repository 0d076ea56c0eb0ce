/** Renders Application JSON. */
import type { Application } from '@murmuration/contracts'
import type { Context } from '../context.js'
import type { ApplicationRow } from './application.store.js'

export const applicationOf = (
  ctx: Pick<Context, 'config'>,
  app: Pick<ApplicationRow, 'id' | 'name' | 'website' | 'scopes' | 'redirect_uris'>,
): Application => ({
  id: app.id,
  name: app.name,
  website: app.website,
  scopes: app.scopes as Application['scopes'],
  redirect_uris: app.redirect_uris,
  redirect_uri: app.redirect_uris.join('\n'),
  vapid_key: ctx.config.vapidPublicKey,
})
