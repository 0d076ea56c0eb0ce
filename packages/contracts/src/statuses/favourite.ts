/**
 * Operations and events about favourites: adding and removing them, the own list, and the accounts that favourited a
 * status.
 */
import { z } from 'zod'
import { Account, Status } from '../entities/index.js'
import { event, get, id, operation, optional, page, pageFields, pageOf, post, user } from '../kit/index.js'

const change = (verb: 'favourite' | 'unfavourite', name: 'add' | 'remove', about: string) =>
  operation(`statuses.favourite.${name}`, {
    http: post(`/api/v1/statuses/:id/${verb}`),
    viewer: user('write|write:favourites'),
    input: z.object({ id: id() }),
    output: Status,
    errors: ['not_found', 'forbidden'],
    about,
  })
export const addFavourite = change('favourite', 'add', 'Favourites a status.')
export const removeFavourite = change('unfavourite', 'remove', 'Removes a favourite.')

export const listFavourites = operation('statuses.favourite.list', {
  http: get('/api/v1/favourites'),
  viewer: user('read|read:favourites'),
  input: page(),
  large: true,
  output: pageOf(Status, 'list'),
  about: 'Favourited statuses of the viewer, latest favourite first.',
})

export const listFavouriters = operation('statuses.favourite.people', {
  http: get('/api/v1/statuses/:id/favourited_by'),
  viewer: optional('read|read:accounts'),
  cache: 'anonymous',
  input: z.object({ id: id(), ...pageFields(40) }),
  output: pageOf(Account, 'accounts'),
  errors: ['not_found'],
  about: 'Accounts that favourited a status.',
})

const interaction = z.object({
  id: z.string(),
  status: z.string(),
  statusUri: z.string(),
  author: z.string(),
  authorLocal: z.boolean(),
  by: z.string(),
  byLocal: z.boolean(),
  uri: z.string().nullable(),
})

export const favouriteCreated = event('statuses.favourite.created', {
  data: interaction,
  about: 'An account favourited a status.',
})

export const favouriteRemoved = event('statuses.favourite.removed', {
  data: interaction,
  about: 'A favourite was removed.',
})
