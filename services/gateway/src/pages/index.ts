/** HTML pages, server-rendered and usable without JavaScript. */
import type { Express } from 'express'
import type { Context } from '../context.js'
import { mountAuthorize } from './authorize.js'
import { mountFiles } from './files.js'
import { mountReference } from './reference.js'
import { createSessions } from './session.js'
import { mountSignIn } from './sign-in.js'

export const mountPages = (app: Express, ctx: Context): void => {
  const sessions = createSessions(ctx)
  mountFiles(app, ctx)
  mountReference(app, ctx)
  mountSignIn(app, ctx, sessions)
  mountAuthorize(app, ctx, sessions)
  app.get('/health', (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/plain' })
    res.end('OK')
  })
}
