/** Operations and events about pins: statuses at the top of their author's profile. */
import { z } from 'zod'
import { Status, Visibility } from '../entities/index.js'
import { event, id, internal, knownOr, operation, post, user } from '../kit/index.js'

const change = (verb: 'pin' | 'unpin', name: 'add' | 'remove', about: string) =>
  operation(`statuses.pin.${name}`, {
    http: post(`/api/v1/statuses/:id/${verb}`),
    viewer: user('write|write:accounts'),
    input: z.object({ id: id() }),
    output: Status,
    errors: ['not_found', 'unprocessable'],
    about,
  })
export const addPin = change('pin', 'add', 'Pins an own status to the profile.')
export const removePin = change('unpin', 'remove', 'Unpins a status.')

/** The `status` of `putRemotePin` if the status is not stored here and is unpinned. */
export const UNKNOWN_STATUS = '0'

export const putRemotePin = operation('statuses.pin.put-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the author of the status. */
    account: z.string(),
    status: z.string(),
    /** True pins the status, false unpins it. */
    pinned: z.boolean(),
  }),
  output: z.object({ outcome: z.enum(['done', 'unchanged', 'refused']) }),
  about: 'Adds or removes a pin of a remote account.',
})

const pin = z.object({
  /** Id of the row that pins the status. If the status is unpinned and pinned again, it gets a new row. */
  id: z.string(),
  account: z.string(),
  status: z.string(),
  uri: z.string(),
  visibility: knownOr(Visibility, 'direct'),
})

export const statusPinned = event('statuses.status.pinned', {
  data: pin,
  about: 'A local account pinned a status.',
})

export const statusUnpinned = event('statuses.status.unpinned', {
  data: pin,
  about: 'A local account unpinned a status.',
})
