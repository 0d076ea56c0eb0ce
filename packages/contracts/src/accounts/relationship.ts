/** Operations about the relationships and private notes of the authenticated account, and the data of events about relationships. */
import { z } from 'zod'
import { Relationship } from '../entities/index.js'
import { flagOr, get, id, ids, operation, post, text, user } from '../kit/index.js'

export const listRelationships = operation('accounts.relationship.list', {
  http: get('/api/v1/accounts/relationships'),
  viewer: user('read|read:follows'),
  input: z.object({ id: ids(500).default([]), with_suspended: flagOr(false) }),
  output: z.array(Relationship),
  about: 'Relationships of the signed-in user to the given accounts, in the order of the request.',
})

export const setNote = operation('accounts.note.set', {
  http: post('/api/v1/accounts/:id/note'),
  viewer: user('write|write:accounts'),
  input: z.object({ id: id(), comment: z.union([z.null(), text()]).optional() }),
  output: Relationship,
  errors: ['not_found', 'unprocessable'],
  about: 'Sets the private note of the signed-in user about an account. A blank comment removes it.',
})

/** Data of an event about a relationship between two accounts. */
export const RelationshipChange = z.object({
  id: z.string(),
  /** Account ids of the two accounts: the acting account (`from`) and its target (`to`). */
  from: z.string(),
  to: z.string(),
  fromLocal: z.boolean(),
  toLocal: z.boolean(),
  /** Id of the activity that created the relationship, sent by a local or a remote account. */
  uri: z.string().nullable(),
})
