/** Operations that return documents of statuses, and the collections that belong to a status. */
import { anyone, get, operation, raw } from '../kit/index.js'
import { ACTIVITY_JSON } from './actor.js'
import { signed, WITH_HEADERS } from './signed.js'

const document = (verb: string, tail: string, about: string) =>
  operation(`federation.note.${verb}`, {
    http: [get(`/ap/users/:id/statuses/:status${tail}`), get(`/users/:username/statuses/:status${tail}`)],
    viewer: anyone(),
    rawBody: WITH_HEADERS,
    input: signed('id', 'username', 'status'),
    output: raw(ACTIVITY_JSON),
    large: true,
    errors: ['not_found', 'gone'],
    about,
  })

export const showQuoteAuthorization = operation('federation.quote.stamp', {
  http: [get('/ap/users/:id/quote_authorizations/:stamp'), get('/users/:username/quote_authorizations/:stamp')],
  viewer: anyone(),
  rawBody: WITH_HEADERS,
  input: signed('id', 'username', 'stamp'),
  output: raw(ACTIVITY_JSON),
  errors: ['not_found', 'gone'],
  about: 'Authorization of a quote (FEP-044f), for viewers who may see the quoted status.',
})

const context = (verb: string, tail: string, about: string) =>
  operation(`federation.note.${verb}`, {
    http: get(`/ap/contexts/:context${tail}`),
    viewer: anyone(),
    rawBody: WITH_HEADERS,
    input: signed('context'),
    output: raw(ACTIVITY_JSON),
    large: true,
    errors: ['not_found'],
    about,
  })

export const showContext = context('context', '', 'A conversation that began here (FEP-f228).')
export const showContextItems = context('context-items', '/items', 'Public and unlisted statuses of a conversation.')

export const showNote = document('show', '', 'A status as a Note; browsers are sent to its page.')
export const showNoteActivity = document('activity', '/activity', 'The activity that published a status or boost.')
export const showReplies = document('replies', '/replies', 'Public replies to a status.')
export const showLikes = document('likes', '/likes', 'How many people favourited a status.')
export const showShares = document('shares', '/shares', 'How many people boosted a status.')
