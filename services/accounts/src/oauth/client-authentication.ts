/** Authenticates an application by its client id and secret. */
import type { Context } from '../context.js'
import { sameDigest } from '../core/credential/secrets.js'
import { type ApplicationRow, applicationByClientId } from './application.store.js'

/** Returns the application. Returns null if the application is unknown, or its secret is wrong or missing. */
export const authenticatedClient = async (
  ctx: Pick<Context, 'db' | 'tokens'>,
  given: { client_id?: string | undefined; client_secret?: string | undefined },
): Promise<ApplicationRow | null> => {
  if (!given.client_id || !given.client_secret) return null
  const app = await applicationByClientId(ctx.db, given.client_id)
  return app && sameDigest(app.secret_hash, ctx.tokens.digest(given.client_secret)) ? app : null
}
