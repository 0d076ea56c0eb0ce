/** Pages of authorized applications. */
import { z } from 'zod'
import { AuthorizedApplication } from '../entities/index.js'
import { browserPage, del, get } from '../kit/index.js'

export const authorizedApplicationsPage = browserPage('gateway.authorized-application.list', {
  http: get('/oauth/authorized_applications'),
  input: z.object({}),
  session: true,
  answers: { 200: 'The applications.', 303: 'To sign in when nobody is.' },
  json: z.array(AuthorizedApplication),
  about: 'Applications that may act for the person.',
})

export const authorizedApplicationRevokePage = browserPage('gateway.authorized-application.revoke', {
  http: del('/oauth/authorized_applications/:id'),
  input: z.object({ id: z.string() }),
  session: true,
  answers: {
    204: 'Done, for programs that ask for JSON.',
    303: 'Done, or to sign in when nobody is.',
    403: 'The proof of our form is missing (`authenticity_token`, or the header `X-CSRF-Token`).',
    404: 'It has no access.',
  },
  about: 'Takes an application its access; browsers send `_method=delete` by POST.',
})
