/** Accounts as people ask for them: one, several, by handle, by search, and one's own. */
import { z } from 'zod'
import { Account, CredentialAccount } from '../entities/index.js'
import { flag, flagOr, get, id, ids, limit, offset, operation, optional, put, text, user } from '../kit/index.js'
import { profileFields } from './profile.js'

export const accountShow = operation('accounts.account.show', {
  http: get('/api/v1/accounts/:id'),
  viewer: optional('read|read:accounts'),
  input: z.object({ id: id() }),
  output: Account,
  errors: ['not_found'],
  cache: 'anonymous',
  about: 'An account by id.',
})

export const accountMany = operation('accounts.account.many', {
  http: get('/api/v1/accounts'),
  viewer: optional('read|read:accounts'),
  input: z.object({ id: ids(100).default([]) }),
  output: z.array(Account),
  errors: ['unprocessable'],
  cache: 'anonymous',
  about: 'Several accounts by id, at most 40, in the order of the request; unknown ones are left out.',
})

export const accountLookup = operation('accounts.account.lookup', {
  http: get('/api/v1/accounts/lookup'),
  viewer: optional('read|read:accounts'),
  input: z.object({ acct: text(2_400) }),
  output: Account,
  errors: ['not_found'],
  cache: 'anonymous',
  about: 'An account by its handle, without asking other servers; also people who did not confirm yet.',
})

export const accountSearch = operation('accounts.account.search', {
  http: get('/api/v1/accounts/search'),
  viewer: user('read|read:accounts'),
  class: 'search',
  input: z.object({
    q: text(2_400),
    limit: limit(40),
    offset: offset(),
    resolve: flagOr(false),
    following: flagOr(false),
  }),
  output: z.array(Account),
  about: 'Accounts whose handle or name begins with the query; exact handles first.',
})

export const credentialsVerify = operation('accounts.account.verify-credentials', {
  http: get('/api/v1/accounts/verify_credentials'),
  viewer: user('profile|read|read:accounts'),
  input: z.object({}),
  output: CredentialAccount,
  about: 'The account of the signed-in person.',
})

export const credentialsUpdate = operation('accounts.account.update-credentials', {
  http: put('/api/v1/accounts/update_credentials'),
  viewer: user('write|write:accounts'),
  class: 'upload',
  files: ['avatar', 'header'],
  inlineFiles: true,
  input: z.object({
    ...profileFields,
    source: z
      .object({
        privacy: text(50).optional(),
        sensitive: flag(),
        language: z.union([z.null(), text(50)]).optional(),
        quote_policy: text(50).optional(),
      })
      .optional(),
  }),
  output: CredentialAccount,
  errors: ['unprocessable'],
  about: 'Changes the profile and the defaults of the signed-in person.',
})

export const avatarRemove = operation('accounts.picture.remove-avatar', {
  http: { method: 'DELETE', path: '/api/v1/profile/avatar' },
  viewer: user('write|write:accounts'),
  input: z.object({}),
  output: CredentialAccount,
  about: 'Puts the default avatar back.',
})

export const headerRemove = operation('accounts.picture.remove-header', {
  http: { method: 'DELETE', path: '/api/v1/profile/header' },
  viewer: user('write|write:accounts'),
  input: z.object({}),
  output: CredentialAccount,
  about: 'Puts the default header back.',
})

export const identityProofList = operation('accounts.account.identity-proofs', {
  http: get('/api/v1/accounts/:id/identity_proofs', '2022-03-30'),
  viewer: user(),
  input: z.object({ id: id() }),
  output: z.array(z.never()),
  about: 'Always empty; kept for old clients.',
})
