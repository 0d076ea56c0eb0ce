/** Pages of authorized applications. */
import { z } from 'zod'
import { AuthorizedApplication } from '../entities/index.js'
import { browserPage, del, get } from '../kit/index.js'

export const authorizedApplicationsPage = browserPage('gateway.authorized-application.list', {
  http: get('/oauth/authorized_applications'),
  input: z.object({}),
  session: true,
  responses: { 200: 'The applications.', 303: 'Redirect to sign-in without a session.' },
  json: z.array(AuthorizedApplication),
  about: 'Applications that the user authorized.',
})

export const authorizedApplicationRevokePage = browserPage('gateway.authorized-application.revoke', {
  http: del('/oauth/authorized_applications/:id'),
  input: z.object({ id: z.string() }),
  session: true,
  responses: {
    204: 'Revoked; for clients that request JSON.',
    303: 'Redirect to the list, or to sign-in without a session.',
    403: 'The CSRF token is missing (`authenticity_token`, or the header `X-CSRF-Token`).',
    404: 'The application is not authorized.',
  },
  about: 'Revokes the authorization of an application; browsers send `_method=delete` by POST.',
})
