/** Operation that serves remote files under an address of this server. */
import { z } from 'zod'
import { anyone, get, operation, raw, text } from '../kit/index.js'

export const showProxied = operation('media.proxy.show', {
  http: get('/media_proxy/:token'),
  viewer: anyone(),
  class: 'page',
  input: z.object({ token: text(200) }),
  output: raw('text/plain'),
  errors: ['forbidden', 'not_found'],
  about: 'Fetches a remote file once, stores it and redirects to the copy. Only signed addresses are accepted.',
})
