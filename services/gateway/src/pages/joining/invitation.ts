/** Invite links: browsers are redirected to sign-up; apps get the code and the API URL as JSON. */
import { registrationOpening } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { type Pages, wantsJson } from '../core/page-request.js'
import { redirect } from '../core/redirect.js'

export const addInvitation = (pages: Pages): void =>
  pages.add('get', '/invite/:code', async ({ ctx, req, res, ip }) => {
    const code = String(req.params.code ?? '').slice(0, 100)
    if (!wantsJson(req)) return redirect(res, `/auth/sign_up?invite_code=${encodeURIComponent(code)}`, 303)
    const opening = await ctx.call(registrationOpening, { invite_code: code, ip })
    if (opening.bad_code || !opening.open) throw fail('unauthenticated', 'This invite is not valid')
    const body = JSON.stringify({ invite_code: code, instance_api_url: `${ctx.site.origin}/api/v2/instance` })
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.setHeader('Cache-Control', 'private, no-store')
    res.end(body)
  })
