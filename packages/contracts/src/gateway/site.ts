/** Documents of the gateway at fixed paths, for programs. */
import { z } from 'zod'
import { Invite, WebAppManifest } from '../entities/index.js'
import { browserPage, get } from '../kit/index.js'

const nothing = z.object({})

export const healthPage = browserPage('gateway.site.health', {
  http: get('/health'),
  input: nothing,
  session: false,
  responses: { 200: '`OK`, as text.' },
  about: 'Responds OK while the edge is running.',
})

export const manifestPage = browserPage('gateway.site.manifest', {
  http: get('/manifest'),
  input: nothing,
  session: false,
  responses: { 200: 'The manifest.' },
  json: WebAppManifest,
  about: 'Web app manifest, with which browsers install the site.',
})

export const changePasswordPage = browserPage('gateway.site.change-password', {
  http: get('/.well-known/change-password'),
  input: nothing,
  session: false,
  responses: { 302: 'Redirect to the page for changing the password.' },
  about: 'Redirects password managers to the page for changing the password.',
})

export const invitationPage = browserPage('gateway.site.invitation', {
  http: get('/invite/:invite_code'),
  input: z.object({ invite_code: z.string() }),
  session: false,
  responses: {
    303: 'Redirect to the sign-up page.',
    401: 'The invitation is invalid; for clients that request JSON.',
  },
  json: Invite,
  about: 'The address of an invitation.',
})
