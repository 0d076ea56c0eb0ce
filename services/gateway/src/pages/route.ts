/** Page handlers: failures become a page that a person can read. */
import { asFailure, meaningOf } from '@murmuration/contracts/kit'
import type { Request, RequestHandler, Response } from 'express'
import type { Context } from '../context.js'
import { html } from './html.js'
import { sendPage } from './layout.js'

export const route =
  (ctx: Context, work: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  (req, res) => {
    work(req, res).catch((thrown) => {
      const failure = asFailure(thrown)
      const loud = meaningOf(failure.code).log
      if (loud !== 'quiet') ctx.log[loud]({ error: failure.extras.cause ?? failure }, 'a page failed')
      if (res.headersSent) res.destroy()
      else if (failure.extras.retryAfter) res.setHeader('Retry-After', String(failure.extras.retryAfter))
      if (!res.headersSent)
        sendPage(res, {
          title: 'Something is wrong',
          site: ctx.policy.settings().site_title,
          status: failure.status,
          body: html`<div class="card"><h1>That did not work</h1><p>${failure.message}</p><p><a href="/">Back to the start</a></p></div>`,
        })
    })
  }
