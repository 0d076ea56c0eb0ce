/** The API's own description, written from the contracts. */
import { openApiDocument } from '@murmuration/contracts/openapi'
import type { Express } from 'express'
import type { Context } from '../context.js'

export const mountReference = (app: Express, ctx: Context): void => {
  let text: string | undefined
  app.get('/api/openapi.json', (_req, res) => {
    text ??= JSON.stringify(openApiDocument({ origin: ctx.site.origin }))
    res.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
    })
    res.end(text)
  })
}
