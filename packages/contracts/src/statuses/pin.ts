/** Pins: statuses that stand first on their author’s profile. */
import { z } from 'zod'
import { Status } from '../entities/index.js'
import { id, operation, post, user } from '../kit/index.js'

const change = (verb: 'pin' | 'unpin', name: 'add' | 'remove', about: string) =>
  operation(`statuses.pin.${name}`, {
    http: post(`/api/v1/statuses/:id/${verb}`),
    viewer: user('write|write:accounts'),
    input: z.object({ id: id() }),
    output: Status,
    errors: ['not_found', 'unprocessable'],
    about,
  })
export const addPin = change('pin', 'add', 'Puts a status of one’s own first on one’s profile.')
export const removePin = change('unpin', 'remove', 'Takes a status off the top of one’s profile.')
