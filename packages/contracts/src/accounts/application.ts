/** Operations about applications: registration, and the application of a token. */
import { z } from 'zod'
import { Application, CredentialApplication } from '../entities/index.js'
import { anyone, app, get, list, operation, post, text } from '../kit/index.js'

export const createApp = operation('accounts.app.create', {
  http: post('/api/v1/apps'),
  viewer: anyone(),
  input: z.object({
    client_name: text().optional(),
    /** Redirect URIs: a list, or one text with URIs separated by white space. */
    redirect_uris: list(text(), 100).optional(),
    scopes: text().optional(),
    website: z.union([z.null(), text()]).optional(),
  }),
  output: CredentialApplication,
  errors: ['unprocessable'],
  about: 'Registers an application; the secret is shown once.',
})

export const verifyApp = operation('accounts.app.verify-credentials', {
  http: get('/api/v1/apps/verify_credentials'),
  viewer: app(),
  input: z.object({}),
  output: Application,
  about: 'The application behind the token, whatever its scopes.',
})
