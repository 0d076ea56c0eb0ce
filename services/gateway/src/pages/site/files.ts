/** Serves media, avatars, headers and other public files of the blob store below `/system`. */
import { type BlobHead, checkKey } from '@murmuration/blob'
import type { Response } from 'express'
import type { Context } from '../../context.js'
import { guardHeaders } from '../../edge/response/headers.js'
import { sendBlob } from '../core/blob-response.js'
import { type Pages, pageNotFound } from '../core/page-request.js'

/** Headers with which pages of other origins may use a response. Browsers also check the redirects to a file. */
const CROSS_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Headers of a file. Clients cache it permanently, because the bytes of a key never change. */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; form-action 'none'; sandbox",
  ...CROSS_ORIGIN,
}

/** Content types that browsers may show inline. Files of any other type are sent as attachments (A167). */
const SHOWN = /^(?:image\/(?:jpeg|png|gif|webp|avif)|(?:video|audio)\/[\w.+-]+)$/

/** Blob key for a path below `/system`; null for keys without a public prefix, such as uploads in staging. */
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

const describe = (ctx: Context, res: Response, { contentType }: BlobHead): void => {
  const guard = guardHeaders(ctx.site.https)
  for (let i = 0; i < guard.length; i += 2) res.setHeader(guard[i] as string, guard[i + 1] as string)
  for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value)
  res.setHeader('Content-Type', contentType)
  if (!SHOWN.test(contentType)) res.setHeader('Content-Disposition', 'attachment')
}

/** Media proxy token for a path in the cache of remote media; null for other paths. With it, the media proxy fetches a missing file. */
const tokenOf = (path: string): string | null =>
  /^\/system\/cache\/([atps]\d{1,19}-[0-9a-f]{40})$/.exec(path)?.[1] ?? null

export const addFiles = (pages: Pages): void =>
  pages.add('get', '/system/{*key}', async ({ ctx, req, res }) => {
    const key = keyOf(req.path)
    if (key !== null && (await sendBlob(ctx, req, res, key, (head) => describe(ctx, res, head)))) return
    const token = tokenOf(req.path)
    if (token === null) throw pageNotFound()
    res.writeHead(302, { ...CROSS_ORIGIN, Location: `/media_proxy/${token}`, 'Cache-Control': 'no-store' }).end()
  })
