/** Serves the OpenAPI document, generated from the contracts. */
import { openApiDocument } from '@murmuration/contracts/openapi'
import type { Pages } from '../core/page-request.js'

export const addReference = (pages: Pages): void => {
  let bytes: Buffer | undefined
  pages.add('get', '/api/openapi.json', ({ ctx, req, res }) => {
    bytes ??= Buffer.from(JSON.stringify(openApiDocument({ origin: ctx.site.origin })))
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.setHeader('Content-Length', bytes.length)
    res.setHeader('Cache-Control', 'public, max-age=300')
    res.setHeader('Access-Control-Allow-Origin', '*')
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.end(req.method === 'HEAD' ? undefined : bytes)
  })
}
