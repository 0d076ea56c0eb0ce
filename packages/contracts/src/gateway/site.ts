/** Documents of the gateway at fixed paths, for programs. */
import { z } from 'zod'
import { Invite, WebAppManifest } from '../entities/index.js'
import { browserPage, get } from '../kit/index.js'

const nothing = z.object({})

export const healthPage = browserPage('gateway.site.health', {
  http: get('/health'),
  input: nothing,
  session: false,
  answers: { 200: '`OK`, as text.' },
  about: 'Tells that the edge answers.',
})

export const manifestPage = browserPage('gateway.site.manifest', {
  http: get('/manifest'),
  input: nothing,
  session: false,
  answers: { 200: 'The manifest.' },
  json: WebAppManifest,
  about: 'What a browser needs to install the site as an application.',
})

export const changePasswordPage = browserPage('gateway.site.change-password', {
  http: get('/.well-known/change-password'),
  input: nothing,
  session: false,
  answers: { 302: 'To the page where the password is changed.' },
  about: 'Where password managers send people.',
})

export const invitationPage = browserPage('gateway.site.invitation', {
  http: get('/invite/:invite_code'),
  input: z.object({ invite_code: z.string() }),
  session: false,
  answers: {
    303: 'To sign up with the invitation.',
    401: 'The invitation is not valid, for programs that ask for JSON.',
  },
  json: Invite,
  about: 'The address of an invitation.',
})
