/** Files that were made safe: media, avatars and headers from the blob store, with ranges and long caching. */
import { pipeline } from 'node:stream'
import { BlobError, checkKey, parseRange } from '@murmuration/blob'
import type { Express, Request, Response } from 'express'
import type { Context } from '../context.js'

/** Keys never get other bytes, so that whoever has them may keep them. */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; form-action 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Accept-Ranges': 'bytes',
}

const notFound = (res: Response): void => {
  res.writeHead(404, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' })
  res.end('Not Found')
}

/** Staging and anything that is no public prefix is never served. */
const keyOf = (path: string): string | null => {
  const key = path.replace(/^\/system\//, '')
  if (!/^(media|avatars|headers|emoji|cache|site)\//.test(key)) return null
  try {
    checkKey(key)
    return key
  } catch {
    return null
  }
}

const serve = async (ctx: Context, req: Request, res: Response): Promise<void> => {
  const key = keyOf(req.path)
  const head = key === null ? null : await ctx.blobs.head(key)
  if (key === null || head === null) return notFound(res)
  const headers = {
    ...HEADERS,
    'Content-Type': head.contentType,
    ETag: head.etag,
    'Last-Modified': head.lastModified.toUTCString(),
  }
  if (req.headers['if-none-match'] === head.etag) {
    res.writeHead(304, headers)
    res.end()
    return
  }
  const range = parseRange(req.headers.range, head.size)
  if (range.kind === 'unsatisfiable') {
    res.writeHead(416, { ...headers, 'Content-Range': `bytes */${head.size}` })
    res.end()
    return
  }
  const part = range.kind === 'part' ? range : null
  res.writeHead(part ? 206 : 200, {
    ...headers,
    'Content-Length': part ? part.end - part.start + 1 : head.size,
    ...(part ? { 'Content-Range': `bytes ${part.start}-${part.end}/${head.size}` } : {}),
  })
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  const blob = await ctx.blobs.get(key, part ? { range: { start: part.start, end: part.end } } : {})
  if (blob === null) res.destroy()
  else pipeline(blob.body, res, () => undefined)
}

export const mountFiles = (app: Express, ctx: Context): void => {
  app.get('/system/{*key}', (req, res) => {
    serve(ctx, req, res).catch((error) => {
      if (!(error instanceof BlobError)) ctx.log.error({ error }, 'a file could not be served')
      if (res.headersSent) res.destroy()
      else notFound(res)
    })
  })
}
