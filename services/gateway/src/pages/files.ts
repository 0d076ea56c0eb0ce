/** Files that were made safe: media, avatars and headers from the blob store, with ranges and long caching. */
import { pipeline } from 'node:stream'
import { BlobError, type BlobHead, checkKey, parseRange } from '@murmuration/blob'
import { fail } from '@murmuration/contracts/kit'
import type { Response } from 'express'
import type { Context } from '../context.js'
import { guardHeaders } from '../edge/headers.js'
import { nothingHere, type Pages } from './visit.js'

/** Keys never get other bytes, so that whoever has them may keep them. */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; form-action 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Accept-Ranges': 'bytes',
}

/** What browsers show in place; anything else is only to be saved (A167). */
const SHOWN = /^(?:image\/(?:jpeg|png|gif|webp|avif)|(?:video|audio)\/[\w.+-]+)$/

/** Staging and anything that is no public prefix is never served. */
const keyOf = (path: string): string | null => {
  const key = path.replace(/^\/system\//, '')
  if (!/^(?:media|avatars|headers|emoji|cache|site)\//.test(key)) return null
  try {
    checkKey(key)
    return key
  } catch {
    return null
  }
}

const describe = (ctx: Context, res: Response, { contentType, etag, lastModified }: BlobHead): void => {
  const guard = guardHeaders(ctx.site.https)
  for (let i = 0; i < guard.length; i += 2) res.setHeader(guard[i] as string, guard[i + 1] as string)
  for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value)
  res.setHeader('Content-Type', contentType)
  res.setHeader('ETag', etag)
  res.setHeader('Last-Modified', lastModified.toUTCString())
  if (!SHOWN.test(contentType)) res.setHeader('Content-Disposition', 'attachment')
}

/** A copy of a remote picture that is not here yet: its token, for the proxy that fetches it. */
const tokenOf = (path: string): string | null =>
  /^\/system\/cache\/([atps]\d{1,19}-[0-9a-f]{40})$/.exec(path)?.[1] ?? null

/** What a store that fails means to whoever wants a file. */
const asRefusal = (error: unknown): unknown =>
  error instanceof BlobError && error.retryable
    ? fail('unavailable', 'The file cannot be read at the moment.', { cause: error, retryAfter: 5 })
    : error

export const addFiles = (pages: Pages): void =>
  pages.add('get', '/system/{*key}', async ({ ctx, req, res }) => {
    const key = keyOf(req.path)
    const head = key === null ? null : await ctx.blobs.head(key).catch((error) => Promise.reject(asRefusal(error)))
    const token = head === null ? tokenOf(req.path) : null
    if (token !== null) {
      res.writeHead(302, { Location: `/media_proxy/${token}`, 'Cache-Control': 'no-store' }).end()
      return
    }
    if (key === null || head === null) throw nothingHere()
    describe(ctx, res, head)
    if (req.headers['if-none-match'] === head.etag) {
      res.writeHead(304).end()
      return
    }
    const range = parseRange(req.headers.range, head.size)
    if (range.kind === 'unsatisfiable') {
      res.writeHead(416, { 'Content-Range': `bytes */${head.size}` }).end()
      return
    }
    const part = range.kind === 'part' ? range : null
    res.statusCode = part ? 206 : 200
    res.setHeader('Content-Length', part ? part.end - part.start + 1 : head.size)
    if (part) res.setHeader('Content-Range', `bytes ${part.start}-${part.end}/${head.size}`)
    if (req.method === 'HEAD') {
      res.end()
      return
    }
    const blob = await ctx.blobs.get(key, part ? { range: { start: part.start, end: part.end } } : {})
    if (blob === null) res.destroy()
    else pipeline(blob.body, res, () => undefined)
  })
