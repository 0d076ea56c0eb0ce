/** Pages of OAuth 2.0: consent, refusal, and display of the code. */
import { z } from 'zod'
import { AuthorizationRequest } from '../accounts/authorization.js'
import { browserPage, del, get, post } from '../kit/index.js'

const request = AuthorizationRequest.extend({ /** Language of the page. */ lang: z.string().max(35).optional() })
const decided = {
  303: 'Back to the application, with a code or an error, and with `state` as it came.',
  400: 'The request is wrong, and nobody is told by redirect.',
  401: 'Application or address are unknown.',
  403: 'The form is not ours.',
}

export const authorizationPage = browserPage('gateway.authorization.show', {
  http: get('/oauth/authorize'),
  input: request,
  session: true,
  answers: {
    200: 'What the application asks for.',
    303: 'To the application when this was granted before; to sign in when nobody is; to the page of an account that may not authorize anything now.',
    400: 'The request is wrong.',
    401: 'Application or address are unknown.',
  },
  about: 'Asks the person whether an application may act for them.',
})

export const authorizationApprovePage = browserPage('gateway.authorization.approve', {
  http: post('/oauth/authorize'),
  input: request,
  session: true,
  answers: decided,
  about: 'The person says yes.',
})

export const authorizationDenyPage = browserPage('gateway.authorization.deny', {
  http: del('/oauth/authorize'),
  input: request,
  session: true,
  answers: decided,
  about: 'The person says no; browsers send `_method=delete` by POST.',
})

export const authorizationCodePage = browserPage('gateway.authorization.native', {
  http: get('/oauth/authorize/native'),
  input: z.object({ code: z.string() }),
  session: true,
  answers: { 200: 'The code.' },
  about: 'Shows the code of an application that has no address to be sent back to.',
})
