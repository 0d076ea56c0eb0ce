/** The frame of every page: one style, no scripts, strict security headers. */
import { createHash } from 'node:crypto'
import type { Response } from 'express'
import { type Html, html, trusted } from './html.js'

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2530;--soft:#5b6776;--line:#d7dde5;--paper:#fff;--ground:#f3f5f8;--accent:#2f6f73;--accent-ink:#fff;--bad:#a5302f}
@media(prefers-color-scheme:dark){:root{--ink:#e8ecf1;--soft:#9aa6b5;--line:#37424f;--paper:#1c232c;--ground:#12171d;--accent:#5fb0b3;--accent-ink:#08191a;--bad:#ff8f8b}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2rem 1rem 4rem}main.wide{max-width:42rem}
header.site{max-width:42rem;margin:0 auto;padding:1.25rem 1rem 0;font-weight:600}header.site a{color:inherit;text-decoration:none}
.card{background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:1.5rem;margin:0 0 1rem}
h1{font-size:1.35rem;margin:0 0 .75rem;line-height:1.3}h2{font-size:1.05rem;margin:1.25rem 0 .5rem}
label{display:block;font-weight:600;margin:1rem 0 .35rem}
input[type=email],input[type=text],input[type=password]{width:100%;padding:.65rem .75rem;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line);border-radius:8px}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
button{font:inherit;font-weight:600;padding:.65rem 1.1rem;border-radius:8px;border:1px solid var(--accent);background:var(--accent);color:var(--accent-ink);cursor:pointer;margin-top:1.25rem}
button.quiet{background:transparent;color:var(--ink);border-color:var(--line)}
.row{display:flex;gap:.75rem;flex-wrap:wrap}.soft{color:var(--soft)}.bad{color:var(--bad);font-weight:600}
a{color:var(--accent)}code{font:1rem/1.5 ui-monospace,monospace;background:var(--ground);padding:.2rem .4rem;border-radius:6px;word-break:break-all}
ul.scopes{margin:.5rem 0;padding-left:1.2rem}img.avatar{width:64px;height:64px;border-radius:12px;object-fit:cover}
.author{display:flex;gap:1rem;align-items:center;margin-bottom:1rem}.content{overflow-wrap:anywhere}.content .invisible{display:none}.content .ellipsis::after{content:"…"}
.media img{max-width:100%;border-radius:10px;margin-top:.5rem}
`
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

export interface PageOptions {
  title: string
  site: string
  body: Html
  head?: Html
  wide?: boolean
  status?: number
  /** Origins or schemes besides our own that a form of this page may lead to. */
  formTargets?: readonly string[]
  cache?: string
}

/** Writes a whole page. */
export const sendPage = (res: Response, page: PageOptions): void => {
  const text = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${page.title} · ${page.site}</title>${page.head}<style>${trusted(STYLE)}</style></head>
<body><header class="site"><a href="/">${page.site}</a></header><main${page.wide ? trusted(' class="wide"') : ''}>${page.body}</main></body></html>`
    .text
  const bytes = Buffer.from(text)
  res.writeHead(page.status ?? 200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': page.cache ?? 'private, no-store',
    'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_HASH}; img-src 'self' https: data:; media-src 'self' https:; form-action 'self'${(page.formTargets ?? []).map((target) => ` ${target}`).join('')}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  })
  res.end(bytes)
}
