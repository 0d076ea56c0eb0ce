/** Streaming: which accounts are connected, and what their connections are sent. */
import { z } from 'zod'
import { internal, live, operation } from '../kit/index.js'

const Ids = z.array(z.string()).max(1_000)

/** One status for many open connections: the text everyone shares, and per listener only what differs. */
export const renderForListeners = operation('statuses.render.for-listeners', {
  viewer: internal(),
  large: true,
  input: z.object({
    id: z.string(),
    /** At most 1,000 when each gets their own stream. */
    listeners: z.array(z.string()).max(5_000),
    /** Of each listener, in the same order: the grant of its stream, from `accounts.token.resolve`. */
    grants: z.array(z.string().max(64)).max(5_000).optional(),
    surface: z.enum(['public', 'hashtag', 'user']),
  }),
  output: z.object({
    /** Status JSON text as an anonymous visitor sees it, without its closing brace; null when nobody may see it. */
    card: z.string().nullable(),
    /** Text that is appended to the card, with the closing brace. Listeners with the same viewer state share one. */
    tails: z.array(z.string()),
    /** Of each listener, in the order asked: the place in `tails`; -1 when it is hidden from them. */
    tailOf: z.array(z.int()),
    /** Places of listeners whose grants are missing, expired or wrong; nothing is rendered for them. */
    refused: z.array(z.int()).optional(),
  }),
  errors: ['forbidden'],
  about: 'One status rendered once for all the listeners of a streaming node.',
})

export const peopleListening = operation('statuses.live.listening', {
  viewer: internal(),
  input: z.object({ accounts: Ids }),
  output: z.object({ listening: z.array(z.string()) }),
  about: 'Those of the accounts who have a live stream open now, or had one a few minutes ago.',
})

/** `live.user.<account id>`: something for one person’s open connections; kept for a day so that they can resume. */
export const liveUser = live('user', 'Events for one person’s connections.')

/** `live.public.<local|remote>`: public statuses. */
export const livePublic = live('public', 'New, edited and deleted public statuses.')

/** `live.tag.<base64url of the name>`: public statuses with a tag. */
export const liveTag = live('tag', 'New, edited and deleted public statuses with a tag.')

/** `live.list.<list id>`: statuses put into a list feed. */
export const liveList = live('list', 'Statuses put into or taken from a list feed.')

/** Content of a live message. `e` is the streaming event, `id` what it is about. */
export const LiveMessage = z.object({
  e: z.enum([
    'update',
    'status.update',
    'delete',
    'notification',
    'notifications_merged',
    'filters_changed',
    'conversation',
    'announcement',
    'announcement.reaction',
    'announcement.delete',
    'kill',
  ]),
  id: z.string().optional(),
  local: z.boolean().optional(),
  media: z.boolean().optional(),
  /** Of an edit that names the person: for the stream of notifications alone, or for that of the home feed as well. */
  to: z.enum(['notification', 'both']).optional(),
  /** Ready payload for events that are not rendered for each listener. */
  payload: z.string().optional(),
})

export type LiveMessage = z.infer<typeof LiveMessage>
