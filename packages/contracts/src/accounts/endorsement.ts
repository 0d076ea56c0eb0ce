/** Operations about endorsements: accounts that a user features on their profile. */
import { z } from 'zod'
import { Account, Relationship } from '../entities/index.js'
import { get, id, limitOrAll, operation, optional, pageFields, pageOf, post, user } from '../kit/index.js'

const target = z.object({ id: id() })

export const createEndorsement = operation('accounts.endorsement.create', {
  http: [post('/api/v1/accounts/:id/endorse'), post('/api/v1/accounts/:id/pin')],
  viewer: user('write|write:accounts'),
  input: target,
  output: Relationship,
  errors: ['not_found', 'unprocessable'],
  about: 'Features a followed account on the profile of the signed-in user.',
})

export const removeEndorsement = operation('accounts.endorsement.remove', {
  http: [post('/api/v1/accounts/:id/unendorse'), post('/api/v1/accounts/:id/unpin')],
  viewer: user('write|write:accounts'),
  input: target,
  output: Relationship,
  errors: ['not_found'],
  about: 'Removes a featured account from the profile of the signed-in user.',
})

export const listEndorsements = operation('accounts.endorsement.list', {
  http: get('/api/v1/endorsements'),
  viewer: user('read|read:accounts'),
  large: true,
  input: z.object({ ...pageFields(40), limit: limitOrAll(40) }),
  output: pageOf(Account, 'accounts'),
  about: 'Accounts that the signed-in user features.',
})

export const listEndorsementsOf = operation('accounts.endorsement.list-of', {
  http: get('/api/v1/accounts/:id/endorsements'),
  viewer: optional('read|read:accounts'),
  input: z.object({ id: id(), ...pageFields(40) }),
  output: pageOf(Account, 'accounts'),
  errors: ['not_found'],
  cache: 'anonymous',
  about: 'Accounts that an account features.',
})
