/** Small files at fixed paths: web app manifest, robots.txt, health check, and the redirect to change the password. */
import { WebAppManifest } from '@murmuration/contracts/entities'
import type { z } from 'zod'
import type { Page, PageRequest, Pages } from '../core/page-request.js'
import { redirect } from '../core/redirect.js'

const text = (res: PageRequest['res'], type: string, body: string, headers: Record<string, string> = {}): void => {
  const all = {
    'Content-Type': `${type}; charset=utf-8`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'max-age=300, public',
    ...headers,
  }
  for (const [name, value] of Object.entries(all)) res.setHeader(name, value)
  res.end(res.req.method === 'HEAD' ? undefined : body)
}

const manifest: Page = ({ ctx, res }) => {
  const { origin } = ctx.site
  const icon = (size: number) => ({
    src: `${origin}/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })
  const value: z.infer<typeof WebAppManifest> = {
    id: '/',
    name: ctx.policy.settings().site_title,
    short_name: ctx.policy.settings().site_title.slice(0, 30),
    lang: 'en',
    icons: [icon(192), icon(512)],
    theme_color: '#1f6f75',
    background_color: '#f2f5f7',
    display: 'standalone',
    start_url: '/',
    scope: '/',
  }
  text(res, 'application/manifest+json', JSON.stringify(WebAppManifest.parse(value)), {
    'Access-Control-Allow-Origin': '*',
  })
}

/** Excludes sign-in pages and the API from crawlers. */
const ROBOTS = `User-agent: *
Disallow: /api/
Disallow: /auth/
Disallow: /oauth/
Disallow: /media_proxy/
`

const FILES: readonly [string, Page][] = [
  ['/manifest', manifest],
  ['/robots.txt', ({ res }) => text(res, 'text/plain', ROBOTS)],
  ['/health', ({ res }) => text(res, 'text/plain', 'OK', { 'Cache-Control': 'no-store' })],
  ['/.well-known/change-password', ({ res }) => redirect(res, '/auth/edit')],
]

export const addSiteFiles = (pages: Pages): void => {
  for (const [path, page] of FILES) pages.add('get', path, page)
}
