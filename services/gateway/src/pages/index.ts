/** HTML pages, server-rendered and usable without JavaScript. */
import type { Express } from 'express'
import type { Context } from '../context.js'
import { mountFiles } from './files.js'
import { mountReference } from './reference.js'

export const mountPages = (app: Express, ctx: Context): void => {
  mountFiles(app, ctx)
  mountReference(app, ctx)
  app.get('/health', (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/plain' })
    res.end('OK')
  })
}
