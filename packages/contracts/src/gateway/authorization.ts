/** Pages of OAuth 2.0: consent, refusal, and display of the code. */
import { z } from 'zod'
import { AuthorizationRequest } from '../accounts/authorization.js'
import { browserPage, del, get, post } from '../kit/index.js'

const request = AuthorizationRequest.extend({ /** Language of the page. */ lang: z.string().max(35).optional() })
const decided = {
  303: 'Redirect to the application with a code or an error, and with the `state` of the request.',
  400: 'The request is invalid. The response is not a redirect.',
  401: 'Application or redirect address is unknown.',
  403: 'The form was not created by this server.',
}

export const authorizationPage = browserPage('gateway.authorization.show', {
  http: get('/oauth/authorize'),
  input: request,
  session: true,
  responses: {
    200: 'The consent page.',
    303: 'Redirect to the application if it is authorized already; to sign-in without a session; to the account page if the account may not authorize now.',
    400: 'The request is invalid.',
    401: 'Application or redirect address is unknown.',
  },
  about: 'Asks the user to authorize an application.',
})

export const authorizationApprovePage = browserPage('gateway.authorization.approve', {
  http: post('/oauth/authorize'),
  input: request,
  session: true,
  responses: decided,
  about: 'The user authorizes the application.',
})

export const authorizationDenyPage = browserPage('gateway.authorization.deny', {
  http: del('/oauth/authorize'),
  input: request,
  session: true,
  responses: decided,
  about: 'The user denies access; browsers send `_method=delete` by POST.',
})

export const authorizationCodePage = browserPage('gateway.authorization.native', {
  http: get('/oauth/authorize/native'),
  input: z.object({ code: z.string() }),
  session: true,
  responses: { 200: 'A page with the code.' },
  about: 'Shows the authorization code of an application without a redirect address.',
})
