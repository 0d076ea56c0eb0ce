/**
 * Operations, the event and the job about follows that a decision ended: a domain block by staff or by a user, or the suspension of
 * an account.
 */
import { z } from 'zod'
import { RelationshipSeveranceEvent } from '../entities/index.js'
import { event, id, internal, job, linesOf, operation } from '../kit/index.js'
import { TablePage } from './export.js'

const session = z.string().max(512)

export const relationshipsSevered = event('accounts.relationship.severed', {
  data: z.object({ id: z.string(), account: z.string() }),
  about: 'A decision ended followers or follows of a local account. Sent again when it ends further ones.',
})

export const severanceCards = operation('accounts.severance.cards', {
  viewer: internal(),
  input: z.object({ viewer: z.string(), ids: z.array(z.string()).max(200) }),
  output: linesOf(RelationshipSeveranceEvent),
  about: 'JSON of a user’s severed relationships by id; those of other users are left out.',
})

export const listSeverances = operation('accounts.severance.list', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({ events: z.array(RelationshipSeveranceEvent) }),
  errors: ['unauthenticated', 'forbidden'],
  about: 'Decisions that ended followers or follows of a user, newest first; at most 100.',
})

export const severancePage = operation('accounts.severance.page', {
  viewer: internal(),
  input: z.object({
    session,
    id: id(),
    which: z.enum(['following', 'followers']),
    after: z.string().max(2_400).optional(),
  }),
  output: TablePage,
  errors: ['unauthenticated', 'forbidden', 'not_found'],
  about: 'A page of the follows or followers that one decision ended, in the columns that other servers import.',
})

export const restoreFollowsJob = job('accounts.restore-follows', {
  data: z.object({
    /** Domain of the domain block that was removed. */
    domain: z.string(),
    /** Stamp of the domain block. */
    stamp: z.string(),
    /** Position after which the next page begins; absent for the first page. */
    after: z.object({ severance: z.string(), address: z.string() }).optional(),
  }),
  about: 'Requests again the follows of local accounts that an undone domain block ended, in pages.',
  concurrency: 1,
})
