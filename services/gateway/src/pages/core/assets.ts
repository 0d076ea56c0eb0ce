/** Static files of the program: style sheet, scripts, icons, and default avatar and header. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { guardHeaders } from '../../edge/response/headers.js'
import { ADMIN_STYLE } from './admin-style.js'
import { HOME_STYLE } from './home-style.js'
import { STYLE as COMMON_STYLE } from './style.js'

const FOLDER = new URL('../../../assets/', import.meta.url)
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const STYLE = COMMON_STYLE + HOME_STYLE + ADMIN_STYLE

/** Path of the style sheet. It contains a digest of the content, so that browsers may cache the file permanently. */
export const STYLE_PATH = `/assets/site-${digest(STYLE)}.css`

const KEY_SCRIPT = readFileSync(new URL('security-key.js', FOLDER))
/** Path of the script for pages that request a passkey. */
export const KEY_SCRIPT_PATH = `/assets/security-key-${digest(KEY_SCRIPT.toString('utf8'))}.js`

const HOME_SCRIPT = readFileSync(new URL('home.js', FOLDER))
/** Path of the script of the pages below `/home`, which shows new posts. */
export const HOME_SCRIPT_PATH = `/assets/home-${digest(HOME_SCRIPT.toString('utf8'))}.js`

const IMMUTABLE = 'public, max-age=31536000, immutable'
const A_DAY = 'public, max-age=86400'

/** Static files: path, name of the file in `assets/`, content type. */
const FILES: readonly [string, string, string][] = [
  ['/avatars/original/missing.png', 'avatar.png', 'image/png'],
  ['/headers/original/missing.png', 'header.png', 'image/png'],
  ['/favicon.ico', 'favicon.ico', 'image/x-icon'],
  ['/favicon.svg', 'mark.svg', 'image/svg+xml'],
  ['/apple-touch-icon.png', 'apple-touch-icon.png', 'image/png'],
  ['/icon-192.png', 'icon-192.png', 'image/png'],
  ['/icon-512.png', 'icon-512.png', 'image/png'],
]

interface Asset {
  readonly bytes: Buffer
  readonly etag: string
  readonly headers: readonly string[]
}

/** Responds to a request for a static file. Returns false, without a response, for other paths and methods. */
export type Assets = (path: string, req: IncomingMessage, res: ServerResponse) => boolean

const asset = (bytes: Buffer, type: string, cache: string, https: boolean): Asset => {
  const etag = `"${digest(bytes.toString('base64'))}"`
  const headers = [
    ...guardHeaders(https),
    'Content-Type',
    type,
    'Content-Length',
    String(bytes.length),
    'Cache-Control',
    cache,
    'ETag',
    etag,
    'Access-Control-Allow-Origin',
    '*',
    'Cross-Origin-Resource-Policy',
    'cross-origin',
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  ]
  return { bytes, etag, headers }
}

/** Reads all static files into memory once, because they are small. */
export const loadAssets = async (https: boolean): Promise<Assets> => {
  const files = await Promise.all(
    FILES.map(
      async ([path, file, type]): Promise<[string, Asset]> => [
        path,
        asset(await readFile(new URL(file, FOLDER)), type, A_DAY, https),
      ],
    ),
  )
  const known = new Map([
    ...files,
    [STYLE_PATH, asset(Buffer.from(STYLE), 'text/css; charset=utf-8', IMMUTABLE, https)] as [string, Asset],
    [HOME_SCRIPT_PATH, asset(HOME_SCRIPT, 'text/javascript; charset=utf-8', IMMUTABLE, https)] as [string, Asset],
    [KEY_SCRIPT_PATH, asset(KEY_SCRIPT, 'text/javascript; charset=utf-8', IMMUTABLE, https)] as [string, Asset],
  ])
  return (path, req, res) => {
    const found = known.get(path)
    if (!found || (req.method !== 'GET' && req.method !== 'HEAD')) return false
    const fresh = req.headers['if-none-match'] === found.etag
    res.writeHead(fresh ? 304 : 200, [...found.headers])
    res.end(fresh || req.method === 'HEAD' ? undefined : found.bytes)
    return true
  }
}
